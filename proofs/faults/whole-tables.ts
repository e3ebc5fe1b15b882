/** Defects of lists of a whole table: without a filter. */

import { type JsonValue, json, listItems, on, rewriteQuery, tamper } from './combinators/combinators.ts'
import { fault } from './fault.ts'

const LIST = 'listRecords'
const queryOf = (request: Request) => new URL(request.url).searchParams

/** Reverses the page of a sorted table where it is one of these. */
const reverses = (isMet: (body: JsonValue) => boolean) =>
  tamper(LIST, (body, request) => {
    const query = queryOf(request)
    const isWhole = query.has('sort') && !query.has('filter')
    return isWhole && isMet(body) ? { ...body, items: listItems(body).toReversed() } : body
  })
fault(
  'a sorted table without a filter is in reverse order if it fits on one page',
  { trips: ['list.sort-orders'] },
  reverses(({ totalPages }) => totalPages === 1),
)
fault(
  'the last page of a sorted table without a filter is in reverse order',
  { trips: ['list.sort-orders'] },
  reverses(({ page, totalPages }) => Number(page) > 1 && page === totalPages),
)
fault(
  'in descending order by id, every page of a whole table is the first',
  { trips: ['list.pagination-covers'] },
  on(LIST, async (request, next) => {
    const url = new URL(request.url)
    const query = url.searchParams
    const page = query.get('page')
    if (query.get('sort') !== '-id' || query.has('filter') || page === null) return next(request)
    query.delete('page')
    const response = await next(new Request(url, { headers: request.headers }))
    return response.ok
      ? json(200, { ...((await response.json()) as JsonValue), page: Number(page) })
      : response
  }),
)
fault(
  'pages in the second half of a whole table lack a record',
  { trips: ['list.without-condition'] },
  tamper(LIST, (body, request) => {
    const query = queryOf(request)
    const skipped = (Number(body.page) - 1) * Number(body.perPage)
    const isLate =
      !query.has('filter') && !query.has('sort') && skipped > 0 && skipped >= Number(body.totalItems) / 2
    return isLate ? { ...body, items: listItems(body).slice(1) } : body
  }),
)
fault(
  'lists of a whole table ignore an order',
  { trips: ['list.sort-orders'] },
  rewriteQuery(LIST, (query) => {
    if (!query.has('filter')) query.delete('sort')
  }),
)
