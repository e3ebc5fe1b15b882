/**
 * Lists and views that show too much, too little, or our values under another id.
 *
 * @module
 */

import { dropQuery, json, listItems, on, reorder, tamper } from '../faults/combinators/combinators.ts'
import type { Middleware } from '../faults/fault.ts'
import { createSays, every, type Make } from './combinators.ts'
import { liar } from './liar.ts'

const everyList = ['fields.malformed', 'list.filter-narrows', 'filter.by-id']

liar(
  'filters are ignored',
  { says: 'A list with a filter shows every record of the table.', checks: everyList },
  () => dropQuery('listRecords', 'filter'),
)

liar(
  'a filter without matches returns every record',
  {
    says: 'A list whose filter matches nothing returns every record of the table.',
    checks: everyList,
    bare: true,
  },
  () =>
    on('listRecords', async (request, next) => {
      const url = new URL(request.url)
      const response = await next(request.clone())
      if (!response.ok || !url.searchParams.has('filter')) return response
      if (listItems((await response.clone().json()) as Record<string, unknown>).length > 0) return response
      url.searchParams.delete('filter')
      return next(new Request(url, { headers: request.headers }))
    }),
)

liar(
  'lists show our values under other ids',
  { says: 'Each item of a list has the id of another record of the table.', checks: everyList },
  ({ foreign }) =>
    tamper('listRecords', (body, _request, { table }) => ({
      ...body,
      items: listItems(body).map((item) => ({ ...item, id: foreign.next(table) })),
    })),
)

liar(
  'lists show every record with the next one’s id',
  { says: 'The ids of the items of a list are moved by one place.', checks: everyList },
  () =>
    reorder((items) =>
      items.map((item, at) => ({ ...item, id: items[(at + 1) % items.length]?.id ?? item.id })),
    ),
)

liar(
  'views show our values under other ids',
  {
    says: 'A view of a record that was there before shows the values that the run created last, with its id.',
  },
  ({ foreign }) => {
    const last = new Map<string, Record<string, unknown>>()
    const remembers = createSays((body, { table = '' }) => void last.set(table, body))
    const shows = tamper('viewRecord', (body, _request, { table = '', id }) =>
      foreign.has(table, id) ? { ...body, ...last.get(table), id } : body,
    )
    return (tools) => {
      const [inner, outer] = [remembers(tools), shows(tools)]
      return (request, next) => outer(request, (each) => inner(each, next))
    }
  },
)

liar(
  'views show another record',
  { says: 'A view shows the right id with the values of another record.' },
  ({ foreign, prefix, asSuperuser }) =>
    on('viewRecord', async (request, next, { table, id }) => {
      const response = await next(request)
      if (!response.ok) return response
      const path = `${prefix}/collections/${table}/records/${foreign.next(table)}`
      const other = await asSuperuser(new Request(new URL(path, request.url)))
      return json(200, { ...((await other.json()) as object), id })
    }),
)

liar(
  'half of the records are missing in lists at first',
  {
    says: 'Until the first create, lists show every second record; then one create in five names another record.',
    bare: true,
  },
  ({ foreign }) =>
    lateThen(
      reorder((items) => items.filter((_, at) => at % 2 === 0)),
      createSays((body, { table }) => ({ ...body, id: foreign.next(table) }), every(5)),
    ),
)

liar(
  'lists are empty at first',
  {
    says: 'Until the first create, lists are empty; then one create in five names another record.',
  },
  ({ foreign }) =>
    lateThen(
      tamper('listRecords', (body) => ({ ...body, totalItems: 0, totalPages: 0, items: [] })),
      createSays((body, { table }) => ({ ...body, id: foreign.next(table) }), every(5)),
    ),
)

liar(
  'lists are rejected at first',
  {
    says: 'Until the first create, lists return 403; then one create in five names another record.',
  },
  ({ foreign }) =>
    lateThen(
      on('listRecords', async (request, next, { table }) =>
        // Lists of the other tables still show that the server responds and accepts the superuser's token.
        table === 'conf_plain' || table?.startsWith('conf_') !== true
          ? next(request)
          : json(403, { status: 403, message: 'No.', data: {} }),
      ),
      createSays((body, { table }) => ({ ...body, id: foreign.next(table) }), every(5)),
    ),
)

liar(
  'lists have one page',
  { says: 'Every list reports its first page as the last one; one create in five names another record.' },
  ({ foreign }) =>
    (tools) => {
      const short = tamper('listRecords', (body) => ({ ...body, totalPages: 1 }))(tools)
      const lies = createSays((body, { table }) => ({ ...body, id: foreign.next(table) }), every(5))(tools)
      return (request, next) => short(request, (each) => lies(each, next))
    },
)

liar(
  'more records than are listed',
  {
    says: 'A table has 10,050 records; one create in it in five names one of the last fifty.',
    more: { table: 'conf_plain', count: 10_000 },
  },
  ({ foreign }) => {
    const last = foreign.ids('conf_plain').slice(-50)
    let turn = 0
    return createSays(
      (body, { table }) =>
        table?.startsWith('conf_plain') === true ? { ...body, id: last[turn++ % last.length] } : undefined,
      every(5),
    )
  },
)

/** One behavior until something is created, another one from then on. */
function lateThen(before: Make, then: Make): Make {
  return (tools) => {
    const [early, late] = [before(tools), then(tools)]
    let created = false
    const middleware: Middleware = (request, next) => {
      if (request.method === 'POST' && /\/(records|batch)$/.test(new URL(request.url).pathname))
        created = true
      return created ? late(request, next) : early(request, next)
    }
    return middleware
  }
}
