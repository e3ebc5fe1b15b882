import { ask, segment } from './api.js'
import { field, fill, grid, h, refill } from './dom.js'
import { follow } from './live.js'
import { relatedTo, targetsOf } from './record-value.js'
import { sortHead } from './sorted-grid.js'

const perPage = 30
/** Columns before the stamps; a record's own page shows all. */
const mostColumns = 6

export async function tableView({ page, segments: [name], query, current }) {
  const table = await ask(`tables/${segment(name)}`)
  const targets = await targetsOf(table)
  const results = h('div')
  const filter = h('input.mono', { type: 'text', spellcheck: 'false', value: query.get('filter') ?? '' })
  const sort = h('input.mono', { type: 'text', spellcheck: 'false', value: query.get('sort') ?? '' })
  const at = (changes) => {
    const next = new URLSearchParams(query)
    for (const [key, value] of Object.entries(changes)) value ? next.set(key, value) : next.delete(key)
    return `#/tables/${segment(name)}${next.size > 0 ? `?${next}` : ''}`
  }

  async function draw() {
    const asked = new URLSearchParams({ perPage: String(perPage), page: query.get('page') ?? '1' })
    if (targets.size > 0) asked.set('expand', [...targets.keys()].join(','))
    for (const key of ['filter', 'sort']) if (query.get(key)) asked.set(key, query.get(key))
    try {
      const found = await ask(`tables/${segment(name)}/records?${asked}`)
      if (current())
        refill(results, records(table, found, at, { targets, order: query.get('sort') ?? '', sortBy }))
    } catch (error) {
      fill(results, h('p.error', {}, error.message))
    }
  }

  /** In place, so that the focus stays at the header. */
  async function sortBy(order) {
    if (order === '') query.delete('sort')
    else query.set('sort', order)
    query.delete('page')
    sort.value = order
    history.pushState(null, '', at({}))
    await draw()
  }

  fill(
    page,
    h('p.crumbs', {}, h('a', { href: '#/tables' }, 'Tables')),
    h(
      'div.row.middle.spread',
      {},
      h('h1', {}, name),
      h('a.button', { href: `#/new/${segment(name)}` }, 'New record'),
    ),
    h('p.soft', {}, `${table.type === 'auth' ? 'Auth table' : 'Table'}, id `, h('code', {}, table.id)),
    definition(table),
    h(
      'form.row',
      {
        role: 'search',
        onsubmit(event) {
          event.preventDefault()
          location.hash = at({ filter: filter.value.trim(), sort: sort.value.trim(), page: '' })
        },
      },
      h('div.grow', {}, field('Filter', filter, 'For example: title ~ "news" && created > @todayStart')),
      field('Sort', sort, '-created,title'),
      h('button.main', {}, 'Show'),
    ),
    results,
  )
  await draw()
  return follow('state', draw)
}

/** Ascending, descending, and then as the server orders them. */
function headOf(column, { order, sortBy }) {
  const up = order === column || order === `+${column}`
  const down = order === `-${column}`
  const { element, show } = sortHead(column, '', () => sortBy(up ? `-${column}` : down ? '' : column))
  show(up ? 'ascending' : down ? 'descending' : undefined)
  return element
}

function records(table, { page, totalPages, totalItems, items }, at, { targets, ...sorting }) {
  if (totalItems === 0) return h('div.empty', {}, h('p', {}, 'No records.'))
  const known = table.fields.map(({ name }) => name)
  const shown = known.filter(
    (key) => items.some((item) => key in item) && !['id', 'created', 'updated'].includes(key),
  )
  const columns = ['id', ...shown.slice(0, mostColumns), 'created'].filter((key) =>
    items.some((item) => key in item),
  )
  const left = shown.length - Math.min(shown.length, mostColumns)
  // Its records were deleted, or someone wrote the address.
  const beyond = page > totalPages
  const where = beyond ? counted(totalPages, 'page') : `page ${page} of ${totalPages}`
  const rows = grid(
    `Records of ${table.name}`,
    columns.map((column) => headOf(column, sorting)),
    items.map((item) =>
      h(
        'tr',
        {},
        columns.map((key, place) =>
          place === 0
            ? h(
                'th.pinned',
                { scope: 'row' },
                h(
                  'a.mono.nowrap',
                  { href: `#/tables/${segment(table.name)}/${segment(item.id)}`, 'data-keep': item.id },
                  item.id,
                ),
              )
            : h('td.cell', { title: text(item[key]) }, labelled(item, key, targets.get(key))),
        ),
      ),
    ),
  )
  return [
    beyond ? h('div.empty', {}, h('p', {}, `There is no page ${page}.`)) : rows,
    h(
      'div.row.middle.spread',
      {},
      h(
        'span.soft',
        {},
        `${counted(totalItems, 'record')}, ${where}${left > 0 ? `; ${counted(left, 'more field')} on each record’s page` : ''}`,
      ),
      h(
        'nav.row.middle',
        { 'aria-label': 'Pages' },
        page > 1 && h('a.button', { href: at({ page: String(Math.min(page - 1, totalPages)) }) }, 'Previous'),
        page < totalPages && h('a.button', { href: at({ page: String(page + 1) }) }, 'Next'),
      ),
    ),
  ]
}

function labelled(item, key, target) {
  const related = target === undefined ? [] : relatedTo(item, key, target)
  return related.length === 0 ? text(item[key]) : related.map(({ label }) => label).join(', ')
}

function text(value) {
  if (value === undefined || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function definition({ fields, rules, indexes }) {
  return h(
    'details.panel',
    {},
    h('summary', {}, 'Fields and rules'),
    grid(
      'Fields',
      ['Field', 'Type', 'Options'],
      fields.map(({ name, type, hidden, options }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, name),
          h('td', {}, type, hidden && h('span.badge', {}, 'hidden')),
          h('td.mono', {}, optionsText(options)),
        ),
      ),
    ),
    grid(
      'Rules',
      ['Rule', 'Who may'],
      Object.entries(rules).map(([rule, expression]) =>
        h('tr', {}, h('th', { scope: 'row' }, rule), h('td', {}, ruleText(expression))),
      ),
    ),
    indexes.length > 0 && h('pre', {}, indexes.join('\n')),
  )
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

const optionsText = (options) =>
  Object.entries(options)
    .map(([key, value]) => (value === true ? key : `${key}: ${JSON.stringify(value)}`))
    .join(', ')

function ruleText(rule) {
  if (rule === null) return 'superusers only'
  return rule === '' ? 'everyone' : h('code', {}, rule)
}
