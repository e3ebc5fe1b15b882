/** Defects of lists in what the document asks of conditions, orders and expansion, however they are written. */

import {
  dropQuery,
  type JsonValue,
  listItems,
  reorder,
  rewriteQuery,
  tamper,
} from './combinators/combinators.ts'
import { misreadsFilter, tamperList } from './combinators/query.ts'
import { fault } from './fault.ts'

const LIST = 'listRecords'

/** Changes lists of a whole table. */
function whole(change: (body: JsonValue) => JsonValue) {
  return tamper(LIST, (body, request) =>
    new URL(request.url).searchParams.has('filter') ? body : change(body),
  )
}

fault('filters are ignored', { trips: ['list.filter-narrows', 'filter.by-id'] }, dropQuery(LIST, 'filter'))
fault(
  'a list with a condition loses a record that meets it',
  { trips: ['list.filter-narrows'] },
  tamperList('filter', /./, (body) => ({ ...body, items: listItems(body).slice(1) })),
)
fault(
  'totals ignore the filter',
  { trips: ['list.filter-all-pages', 'list.total-items'] },
  tamperList('filter', /./, (body) => ({ ...body, totalItems: Number(body.totalItems) + 7 })),
)
fault(
  'sorts are ignored',
  { trips: ['list.sort-orders', 'sort.order', 'sort.reverse'] },
  dropQuery(LIST, 'sort'),
)
fault(
  'a sorted list loses a record',
  { trips: ['list.sort-keeps-set', 'sort.random'] },
  tamperList('sort', /./, (body) => ({ ...body, items: listItems(body).slice(1) })),
)
fault(
  'only the first page is sorted',
  { trips: ['list.sort-across-pages', 'sort.pages'] },
  rewriteQuery(LIST, (query) => {
    if (Number(query.get('page')) > 1) query.delete('sort')
  }),
)
fault(
  'nothing is ever expanded',
  { trips: ['list.expand-relation', 'expand.single', 'expand.multiple'] },
  dropQuery(LIST, 'expand'),
)
fault(
  'an expanded record replaces its id',
  { trips: ['list.expand-keeps-record'] },
  reorder((items) => items.map((item) => ({ ...item, ...(item.expand as JsonValue | undefined) }))),
)
for (const [what, part, requirement] of [
  ['order', 'sort', 'list.expand-keeps-record'],
  ['filter', 'filter', 'list.expand-relation'],
] as const)
  fault(
    `a list with an expansion ignores the ${what}`,
    { trips: [requirement] },
    rewriteQuery(LIST, (query) => {
      if (query.has('expand')) query.delete(part)
    }),
  )
fault(
  '= matches the beginning of a string',
  { trips: ['list.filter-narrows'] },
  misreadsFilter(/^(\w+) = "([^"]*)"$/g, '$1 ~ "$2%"'),
)
fault(
  '= matches any part of a string',
  { trips: ['list.filter-narrows'] },
  misreadsFilter(/^(\w+) = ("[^"]*")$/g, '$1 ~ $2'),
)
fault(
  'all items expand the relation of the first one',
  { trips: ['list.expand-relation'] },
  reorder((items) => {
    const known = items.find(({ expand }) => expand !== undefined)?.expand
    return items.map((item) => (item.expand === undefined ? item : { ...item, expand: known }))
  }),
)
fault(
  'without a condition the total is that of the page',
  { trips: ['list.without-condition'] },
  whole((body) => ({ ...body, totalItems: listItems(body).length, totalPages: 1 })),
)
fault(
  'without a condition there are always ninety-nine pages',
  { trips: ['list.without-condition'] },
  whole((body) => ({ ...body, totalPages: 99 })),
)
fault(
  'without a condition every page is the first one',
  { trips: ['list.without-condition'] },
  rewriteQuery(LIST, (query) => {
    if (!query.has('filter')) query.delete('page')
  }),
)
