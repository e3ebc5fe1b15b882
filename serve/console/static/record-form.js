/** The fields of a record as a form. An error is shown next to the field that it is about. */

import { append, fill, h, field as labelled } from './dom.js'
import { controlFor } from './field-control.js'
import { isEmpty } from './record-value.js'

/** Set by the server alone. */
const notWritten = new Set(['tokenKey'])

/**
 * @param table as the console describes it
 * @param record to change; undefined for a new one
 * @param save is given what was changed, by name. @throws `Refused` with errors by field
 */
export function recordForm(table, record, { action, back, save }) {
  const summary = h('div', { role: 'alert' })
  const parts = table.fields
    .filter(({ name }) => !notWritten.has(name) && !(record && name === 'id'))
    .map((field) => partFor(field, record))
    .filter(Boolean)
  const button = h('button.main', {}, action)

  async function submit(event) {
    event.preventDefault()
    fill(summary)
    for (const part of parts) part.refuse('')
    const entries = []
    const problems = new Map()
    for (const part of parts) {
      try {
        entries.push(...part.changes())
      } catch (error) {
        problems.set(part.name, error.message)
      }
    }
    if (problems.size > 0) {
      // The server, which gets no request now, would reject these as well.
      for (const { name, isBlank } of parts)
        if (!problems.has(name) && isBlank()) problems.set(name, 'Cannot be blank.')
      return refuse(problems)
    }
    button.disabled = true
    try {
      await save(entries)
    } catch (error) {
      refuse(problemsOf(error.data), error.message)
    } finally {
      button.disabled = false
    }
  }

  function refuse(problems, message) {
    const here = parts.filter(({ name }) => problems.has(name))
    for (const part of here) part.refuse(problems.get(part.name))
    const elsewhere = [...problems.keys()].filter((name) => !here.some((part) => part.name === name))
    const count = here.length === 1 ? 'one field' : `${here.length} fields`
    const text =
      here.length > 0 && elsewhere.length === 0 ? `Not saved: correct ${count}.` : `Not saved. ${message}`
    fill(summary, h('p.error', {}, text))
    const first = here[0]?.first ?? summary.firstChild
    if (first === summary.firstChild) first.setAttribute('tabindex', '-1')
    first.focus()
  }

  const form = h(
    'form.panel.record',
    {
      novalidate: true,
      'aria-label': action,
      onsubmit: submit,
      // Enter is a line break in a text of several lines.
      onkeydown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
      },
    },
    summary,
    parts.map(({ element }) => element),
    h('div.row.middle', {}, button, h('a.button', { href: back }, 'Cancel')),
  )
  return form
}

function problemsOf(data = {}) {
  return new Map(
    Object.entries(data).map(([name, problem]) => [
      // The user did not write the repeated password: an error about it is about the password.
      name === 'passwordConfirm' ? 'password' : name,
      problem?.message ?? JSON.stringify(problem),
    ]),
  )
}

/** One field: its label, its control, and the place for what is wrong with it. */
function partFor(field, record) {
  const { name } = field
  const control = controlFor(field, record)
  if (control === undefined) return undefined
  const optional = field.options.autogeneratePattern || (record && field.type === 'password')
  const hint = [field.options.required && !optional && 'required', control.hint, limits(field)]
    .filter(Boolean)
    .join(' · ')
  const problem = h('p.problem', { id: `problem-of-${name}` })
  const element = control.group
    ? h('fieldset.field', {}, h('legend', {}, name, hint && h('span.hint', {}, ` ${hint}`)), control.body)
    : labelled(name, control.first, hint)
  if (!control.group && Array.isArray(control.body)) append(element, control.body.slice(1))
  append(element, [problem])
  const described = control.group ? element : control.first
  const hinted = described.getAttribute('aria-describedby')
  const before = serial(control.read())

  return {
    name,
    element,
    first: control.first,
    refuse(message) {
      fill(problem, message)
      if (message === '') control.first.removeAttribute('aria-invalid')
      else control.first.setAttribute('aria-invalid', 'true')
      const ids = [hinted, message && problem.id].filter(Boolean).join(' ')
      if (ids) described.setAttribute('aria-describedby', ids)
      else described.removeAttribute('aria-describedby')
    },
    isBlank: () => field.options.required && !optional && !control.changes && isEmpty(control.read()),
    /** Nothing if nothing was changed: the server's own treatment of an absent field is kept. */
    changes() {
      if (control.changes) return control.changes()
      const value = control.read()
      if (serial(value) === before) return []
      const confirmed = field.type === 'password' ? [[`${name}Confirm`, value]] : []
      return [[name, value], ...confirmed]
    },
  }
}

const serial = (value) => JSON.stringify(value)

function limits({ type, options }) {
  const { min, max, pattern, autogeneratePattern, onlyInt } = options
  const unit = type === 'text' || type === 'password' ? ' characters' : ''
  return [
    autogeneratePattern && 'leave empty to generate a value',
    onlyInt && 'integers',
    min !== undefined && min === max && `exactly ${min}${unit}`,
    min !== undefined && min !== max && `at least ${min}${unit}`,
    max !== undefined && min !== max && `at most ${max}${unit}`,
    pattern && !autogeneratePattern && `form ${pattern}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
