/** A new record, or another version of one that is there. */

import { ask, segment } from './api.js'
import { fill, h, toast } from './dom.js'
import { recordForm } from './record-form.js'

export async function newView({ page, segments: [name] }) {
  const table = await ask(`tables/${segment(name)}`)
  const back = `#/tables/${segment(name)}`
  const save = async (entries) => {
    const made = await ask(`tables/${segment(name)}/records`, { method: 'POST', body: bodyOf(entries) })
    toast('Created')
    location.hash = `${back}/${segment(made.id)}`
  }
  draw(page, table, `New record of ${name}`, recordForm(table, undefined, { action: 'Create', back, save }))
}

export async function editView({ page, segments: [name, id] }) {
  const place = `tables/${segment(name)}/records/${segment(id)}`
  const [table, record] = await Promise.all([ask(`tables/${segment(name)}`), ask(place)])
  const back = `#/tables/${segment(name)}/${segment(id)}`
  const save = async (entries) => {
    if (entries.length > 0) await ask(place, { method: 'PATCH', body: bodyOf(entries) })
    toast(entries.length > 0 ? 'Saved' : 'Nothing has changed')
    location.hash = back
  }
  draw(page, table, `Edit ${id}`, recordForm(table, record, { action: 'Save', back, save }), id)
}

function draw(page, { name }, title, form, id) {
  const at = `#/tables/${segment(name)}`
  fill(
    page,
    h(
      'p.crumbs',
      {},
      h('a', { href: '#/tables' }, 'Tables'),
      ' / ',
      h('a', { href: at }, name),
      id && [' / ', h('a.mono', { href: `${at}/${segment(id)}` }, id)],
    ),
    h('h1', {}, title),
    h('p.soft', {}, 'Saved with superuser permissions: rules do not apply, but field options do.'),
    form,
  )
}

/** JSON, or a multipart form where files are among the values. */
function bodyOf(entries) {
  const files = entries.filter(([, value]) => value instanceof File)
  const values = Object.fromEntries(entries.filter(([, value]) => !(value instanceof File)))
  if (files.length === 0) return values
  const form = new FormData()
  form.append('@jsonPayload', JSON.stringify(values))
  for (const [name, each] of files) form.append(name, each)
  return form
}
