import { ask, segment } from './api.js'
import { confirmed, copyButton, facts, fill, h, json, toast } from './dom.js'
import { fileLinks, isEmpty, relationLinks, targetsOf } from './record-value.js'

const kinds = [
  ['auth', 'Session token'],
  ['static', 'Session token that cannot be refreshed'],
  ['file', 'File token'],
  ['verification', 'Verification token'],
  ['passwordReset', 'Password reset token'],
]

export async function recordView({ page, segments: [name, id] }) {
  const place = `tables/${segment(name)}/records/${segment(id)}`
  const table = await ask(`tables/${segment(name)}`)
  const targets = await targetsOf(table)
  const [expanded, { prefix }] = await Promise.all([
    ask(
      targets.size === 0
        ? place
        : `${place}?${new URLSearchParams({ expand: [...targets.keys()].join(',') })}`,
    ),
    ask('facts'),
  ])
  const { expand: _related, ...record } = expanded
  const fields = new Map(table.fields.map((field) => [field.name, field]))
  // The interface sends a protected file only to a link with a token, which would expire.
  const open = `${prefix}/files/${table.id}/${segment(id)}`
  const shown = (key, value) => {
    if (isEmpty(value)) return h('span.soft', {}, 'empty')
    if (targets.has(key)) return relationLinks(expanded, key, targets.get(key))
    const field = fields.get(key)
    if (field?.type === 'file')
      return fileLinks(value, field, field.options.protected ? `api/${place}/files` : open)
    return typeof value === 'string' ? value : h('code', {}, JSON.stringify(value))
  }
  fill(
    page,
    h(
      'p.crumbs',
      {},
      h('a', { href: '#/tables' }, 'Tables'),
      ' / ',
      h('a', { href: `#/tables/${segment(name)}` }, name),
    ),
    h(
      'div.row.middle.spread',
      {},
      h('h1.mono', {}, id),
      h('a.button', { href: `#/edit/${segment(name)}/${segment(id)}` }, 'Edit the record'),
    ),
    h(
      'div.panel',
      {},
      facts(
        Object.entries(record)
          .filter(([key]) => key !== 'collectionId' && key !== 'collectionName')
          .map(([key, value]) => [key, shown(key, value)]),
      ),
    ),
    table.type === 'auth' && tokens(table, record),
    h('details', {}, h('summary', {}, 'As JSON'), json(record)),
    h('h2', {}, 'Delete'),
    h(
      'button.danger',
      {
        type: 'button',
        async onclick() {
          if (
            !(await confirmed(
              `Delete the record ${id} of ${name}, and all records that depend on it?`,
              'Delete it',
            ))
          )
            return
          try {
            await ask(place, { method: 'DELETE' })
            toast('Deleted')
            location.hash = `#/tables/${segment(name)}`
          } catch (error) {
            toast(error.message)
          }
        },
      },
      'Delete the record',
    ),
  )
}

function tokens(table, record) {
  const kind = h(
    'select',
    { 'aria-label': 'Kind of token' },
    kinds.map(([value, label]) => h('option', { value }, label)),
  )
  const result = h('div', { 'aria-live': 'polite' })
  return [
    h('h2', {}, 'Tokens'),
    h(
      'p.soft',
      {},
      'Creates a token for this record without signing in. Send it in the Authorization header.',
    ),
    h(
      'form.row',
      {
        async onsubmit(event) {
          event.preventDefault()
          try {
            const body = { table: table.name, id: record.id, kind: kind.value }
            const { token } = await ask('token', { method: 'POST', body })
            fill(result, h('div.panel.secret', {}, h('pre', {}, token), copyButton(token, 'Copy the token')))
          } catch (error) {
            fill(result, h('p.error', {}, error.message))
          }
        },
      },
      kind,
      h('button', {}, 'Create a token'),
    ),
    result,
  ]
}
