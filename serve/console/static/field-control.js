/** The controls of a form: each shows a value for editing and reads it back. The server says which a field has. */

import { checkbox, h } from './dom.js'
import { relationPicker } from './relation-picker.js'

/**
 * @typedef {object} Control
 * @property {Node} body what is shown
 * @property {HTMLElement} first what is focused when the value is rejected
 * @property {boolean} [group] several inputs, named by a legend
 * @property {string} [hint]
 * @property {() => unknown} read the value as the interface takes it. @throws Error when it is none
 * @property {() => [string, unknown][]} [changes] if one value does not show what was done
 */

const isList = ({ options }) => (options.maxSelect ?? 0) > 1

function line(value = '', attributes = {}) {
  const input = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes, value })
  return { body: input, first: input, read: () => input.value }
}

/** One row at first: an input would swallow line breaks. */
function lines(value = '', attributes = {}) {
  const area = h('textarea', { rows: '1', ...attributes, value })
  return { body: area, first: area, read: () => area.value }
}

function numeric(value = '', attributes = {}) {
  const input = h('input', { type: 'number', step: 'any', autocomplete: 'off', ...attributes, value })
  const read = () => {
    if (input.validity.badInput) throw new Error('This is not a number.')
    return input.value === '' ? null : Number(input.value)
  }
  return { body: input, first: input, read }
}

function box(value) {
  const input = h('input', { type: 'checkbox', checked: value })
  return { body: input, first: input, read: () => input.checked }
}

function choice(value, field) {
  const values = field.options.values ?? []
  if (isList(field)) return several(values, value)
  const input = h(
    'select',
    {},
    h('option', { value: '' }, '(empty)'),
    values.map((each) => h('option', { value: each, selected: each === value }, each)),
  )
  return { body: input, first: input, read: () => input.value }
}

function several(values, chosen = []) {
  const boxes = values.map((each) => checkbox(each, each, chosen.includes(each)))
  const body = h(
    'div.choices',
    {},
    boxes.map(({ label }) => label),
  )
  const read = () => boxes.filter(({ input }) => input.checked).map(({ input }) => input.value)
  return { body, first: boxes[0]?.input ?? body, group: true, read }
}

function json(value) {
  const shown = value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
  const area = h('textarea.mono', { rows: '2', spellcheck: 'false', value: shown })
  const read = () => {
    if (area.value.trim() === '') return null
    try {
      return JSON.parse(area.value)
    } catch {
      throw new Error('This is not JSON. Strings need double quotes.')
    }
  }
  return { body: area, first: area, hint: 'JSON', read }
}

function point(value) {
  const [lon, lat] = ['lon', 'lat'].map((key) => numeric(value?.[key] ?? 0))
  const body = h('div.choices', {}, h('label', {}, 'lon ', lon.body), h('label', {}, 'lat ', lat.body))
  return { body, first: lon.first, group: true, read: () => ({ lon: lon.read() ?? 0, lat: lat.read() ?? 0 }) }
}

/** A time in UTC. The control of the browser has no zone, and a `T` where the interface has a space. */
function moment(value = '') {
  const [, day, hour] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})Z$/.exec(value) ?? []
  const input = h('input', {
    type: 'datetime-local',
    step: 'any',
    max: '9999-12-31T23:59:59.999',
    value: day === undefined ? '' : `${day}T${hour}`,
  })
  const read = () => {
    if (input.validity.badInput) throw new Error('This is not a whole date: add the day and the time.')
    return input.value === '' ? '' : new Date(`${input.value}Z`).toISOString().replace('T', ' ')
  }
  return { body: input, first: input, read }
}

function files(value, field) {
  const kept = [value].flat().filter(Boolean)
  const boxes = kept.map((name) => checkbox(`Remove ${name}`, name))
  const input = h('input', {
    type: 'file',
    multiple: isList(field),
    'aria-label': `New file for ${field.name}`,
  })
  const changes = () => {
    const gone = boxes.filter(({ input }) => input.checked).map(({ input }) => input.value)
    const added = [...input.files].map((each) => [isList(field) ? `${field.name}+` : field.name, each])
    return [...(gone.length > 0 ? [[`${field.name}-`, gone]] : []), ...added]
  }
  const body = h(
    'div.choices',
    {},
    boxes.map(({ label }) => label),
    input,
  )
  return { body, first: input, group: true, read: () => undefined, changes }
}

function password(_value, _field, creating) {
  const control = line('', { type: 'password', autocomplete: 'new-password' })
  return { ...control, hint: creating ? '' : 'leave empty to keep the current value' }
}

const mono = ({ control }) => (control.mono ? { class: 'mono' } : {})

/** By the names that `FormControl` of `reference/fields/kind.ts` has for them. */
export const controls = {
  line: (value, field) => line(value, { type: field.control.input ?? 'text', ...mono(field) }),
  lines: (value, field) => lines(value, { rows: String(field.control.rows ?? 1), ...mono(field) }),
  number: (value) => numeric(value),
  checkbox: box,
  choice,
  json,
  point,
  moment: (value) => moment(value),
  records: relationPicker,
  files,
  password,
}

/**
 * @param field as the table describes it
 * @param record to change; undefined for a new one
 * @returns {Control | undefined} undefined for what no client writes
 */
export function controlFor(field, record) {
  const { control } = field
  if (control === undefined) return undefined
  const made = controls[control.as](record?.[field.name], field, record === undefined)
  return control.hint === undefined ? made : { ...made, hint: control.hint }
}
