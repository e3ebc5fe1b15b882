import { ask, segment } from './api.js'
import { confirmed, copyButton, facts, fill, h, json, toast } from './dom.js'
import { labelOf } from './relation-picker.js'

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
  const related = table.fields.filter(({ type }) => type === 'relation')
  const expanded = related.map(({ name }) => name).join(',')
  const [{ expand = {}, ...record }, ...targets] = await Promise.all([
    ask(`${place}${expanded && `?${new URLSearchParams({ expand: expanded })}`}`),
    ...related.map(({ options }) => ask(`tables/${segment(options.collectionId)}`)),
  ])
  const relations = new Map(
    related.map(({ name }, at) => [name, { table: targets[at], records: [expand[name] ?? []].flat() }]),
  )
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
          .map(([key, value]) => [key, shown(value, relations.get(key))]),
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

function shown(value, target) {
  if (value === '' || value === null || (Array.isArray(value) && value.length === 0))
    return h('span.soft', {}, 'empty')
  if (target === undefined) return typeof value === 'string' ? value : h('code', {}, JSON.stringify(value))
  return [value].flat().flatMap((id, at) => {
    const record = target.records.find((one) => one.id === id) ?? { id }
    const label = labelOf(target.table, record)
    const href = `#/tables/${segment(target.table.name)}/${segment(id)}`
    if (label === id) return [at > 0 && ', ', h('a.mono', { href }, id)]
    return [at > 0 && ', ', h('a', { href }, label), ' ', h('span.mono.soft', {}, id)]
  })
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
