/** Lists and records with more in them than the document names, or in another order. */

import {
  type JsonValue,
  listItems,
  reorder,
  tamper,
  tamperRecord,
} from '../faults/combinators/combinators.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('list-shape')

const LIST = 'listRecords'
const shape = ['list.one-shape', 'list.shape', 'list.empty-shape'] as const
const stable = [...shape, 'list.pagination-stable', 'list.totals-agree'] as const

/** Adds keys to every list. */
const adds = (more: (body: JsonValue, request: Request) => JsonValue) =>
  tamper(LIST, (body, request) => ({ ...body, ...more(body, request) }))

const pathOf = (request: Request, page: number) => {
  const url = new URL(request.url)
  url.searchParams.set('page', String(page))
  return `${url.pathname}${url.search}`
}

variation(
  'a list has a link to the next page where there is one',
  { because: '2.4', near: stable },
  adds(({ page, totalPages }, request) =>
    Number(page) < Number(totalPages) ? { next: pathOf(request, Number(page) + 1) } : {},
  ),
)
variation(
  'a list has links to the pages around it where there are any',
  { because: '2.4', near: stable },
  adds(({ page, totalPages }, request) => ({
    ...(Number(page) > 1 && { prev: pathOf(request, Number(page) - 1) }),
    ...(Number(page) < Number(totalPages) && { next: pathOf(request, Number(page) + 1) }),
  })),
)
variation(
  'a list has links to itself, its first and its last page',
  { because: '2.4', near: stable },
  adds(({ totalPages }, request) => ({
    links: { self: request.url, first: pathOf(request, 1), last: pathOf(request, Number(totalPages)) },
  })),
)
variation(
  'a list has the next page as null where there is none',
  { because: '2.4', near: stable },
  adds(({ page, totalPages }) => ({ nextPage: Number(page) < Number(totalPages) ? Number(page) + 1 : null })),
)
variation(
  'a list says whether there are more records',
  { because: '2.4', near: stable },
  adds(({ page, totalPages }) => ({ hasMore: Number(page) < Number(totalPages) })),
)
variation(
  'a list that is not empty reports the range of its records',
  { because: '2.4', near: stable },
  adds((body) => {
    const from = (Number(body.page) - 1) * Number(body.perPage) + 1
    return listItems(body).length > 0 ? { from, to: from + listItems(body).length - 1 } : {}
  }),
)
variation(
  'a list says in words that nothing was found',
  { because: '2.4', near: stable },
  adds((body) => (listItems(body).length === 0 ? { message: 'Nothing was found.' } : {})),
)
variation(
  'a list has a new tag in each response',
  { because: '2.4', near: [...stable, 'list.without-condition'] },
  (tools) => {
    let responses = 0
    return adds(() => ({ etag: `W/"${responses++}"` }))(tools)
  },
)
variation('a list reports how long it took', { because: '2.4', near: stable }, (tools) => {
  let took = 0
  return adds(() => ({ took: took++ }))(tools)
})
variation(
  'a list reports when it was created',
  { because: '2.4', near: stable },
  adds(() => ({ at: new Date().toISOString() })),
)
variation(
  'a list repeats its parameters',
  { because: '2.4', near: stable },
  adds((_body, request) => ({ query: Object.fromEntries(new URL(request.url).searchParams) })),
)
variation(
  'a list repeats its numbers under meta',
  { because: '2.4', near: stable },
  adds(({ items: _items, ...numbers }) => ({ meta: numbers })),
)
variation(
  'a long list contains a warning',
  { because: '2.4', near: stable },
  adds(({ totalItems }) => (Number(totalItems) > 3 ? { warnings: ['Narrow it down.'] } : {})),
)
variation(
  'the keys of a list are in reverse order',
  { because: '1', near: stable },
  tamper(LIST, (body) => Object.fromEntries(Object.entries(body).reverse())),
)

/** Checks that compare a record with itself, from elsewhere or from later. */
const records = [
  'list.items',
  'list.items-as-viewed',
  'list.expand-keeps-record',
  'view.record',
  'record.table-fields',
] as const

variation(
  'a viewed record has a tag that items do not have',
  { because: '2.1', near: records },
  tamper('viewRecord', (record) => ({ ...record, etag: String(record.updated) })),
)
variation(
  'a viewed record shows who can change it',
  { because: '2.1', near: records },
  tamper('viewRecord', (record) => ({ ...record, permissions: { update: true, delete: true } })),
)
variation(
  'items have a link that a viewed record does not have',
  { because: '2.1', near: records },
  reorder((items, request) =>
    items.map((item) => ({ ...item, href: `${new URL(request.url).pathname}/${item.id}` })),
  ),
)
variation(
  'items have a position in their list',
  { because: '2.1', near: [...records, 'list.filter-narrows'] },
  reorder((items) => items.map((item, at) => ({ ...item, position: at + 1 }))),
)
variation(
  'items show how well they match the condition',
  { because: '2.1', near: [...records, 'list.filter-narrows', 'list.sort-orders'] },
  reorder((items) => items.map((item) => ({ ...item, score: 1 }))),
)
variation(
  'records have links to themselves and to their table',
  { because: '2.1', near: [...records, 'relation.single-id', 'list.expand-relation'] },
  tamperRecord('*', (record) => ({
    ...record,
    links: { self: `/${record.collectionId}/${record.id}`, table: `/${record.collectionId}` },
  })),
)
variation(
  'the keys of a record are in alphabetical order in lists only',
  { because: '2.1', near: records },
  reorder((items) =>
    items.map((item) => Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))),
  ),
)
variation(
  'records show under expand that nothing was expanded',
  { because: 'expand.syntax', near: records },
  tamperRecord('*', (record) => ({ expand: {}, ...record })),
)
variation(
  'records have table fields that are never set',
  { because: '2.1 row (table-defined fields)', near: records },
  tamperRecord('*', (record) => ({ ...record, archived: null, tags: [] })),
)
variation(
  'records show who created them and why',
  { because: '2.1 row (table-defined fields)', near: records },
  tamperRecord('*', (record) => ({ ...record, createdBy: null, 'x-purpose': { of: 'test' } })),
)
