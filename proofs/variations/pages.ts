/** Pages: where they are counted from, what comes beyond them, and in which order records are if none is requested. */

import type { Target } from '../../harness/vocabulary/target.ts'
import {
  all,
  another,
  type JsonValue,
  json,
  on,
  rewriteQuery,
  tamper,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { rejectsQuery } from '../faults/combinators/query.ts'
import { nearReading, walking } from './near.ts'
import { type Variation, variation, variationsOf } from './variation.ts'

variationsOf('pages')

const LIST = 'listRecords'
const beyond = [
  'list.page-beyond-end',
  'list.page',
  'list.paginated',
  'list.one-shape',
  'list.shape',
] as const

/** Does something else if a page beyond the last one is requested. */
const whereBeyond = (
  answer: (
    show: (page: number) => Promise<Response>,
    totalPages: number,
    asked: number,
  ) => Response | Promise<Response>,
) =>
  on(LIST, async (request, next) => {
    const response = await next(request.clone())
    const { page, totalPages } = (await response.clone().json()) as JsonValue
    if (!response.ok || !(Number(page) > Math.max(1, Number(totalPages)))) return response
    const show = async (wanted: number) => {
      const url = new URL(request.url)
      url.searchParams.set('page', String(wanted))
      return next(another(request, 'GET', url.href))
    }
    return answer(show, Math.max(1, Number(totalPages)), Number(page))
  })

for (const status of [400, 403, 404, 410, 416, 422])
  variation(
    `a page beyond the last one is rejected with ${status}`,
    { because: 'list.paging', near: beyond },
    whereBeyond(() => fieldRejection(status)),
  )
variation(
  'a page beyond the last one is the last one',
  { because: 'list.paging', near: beyond },
  whereBeyond((show, totalPages) => show(totalPages)),
)
variation(
  'a page beyond the last one is the first one',
  { because: 'list.paging', near: beyond },
  whereBeyond((show) => show(1)),
)
variation(
  'pages wrap around after the last one',
  { because: 'list.paging', near: beyond },
  whereBeyond((show, totalPages, asked) => show(((asked - 1) % totalPages) + 1)),
)
variation(
  'a page beyond the last one redirects to the last one',
  { because: 'list.paging', near: beyond },
  whereBeyond((_show, totalPages) =>
    Response.json({ last: totalPages }, { status: 302, headers: { location: `?page=${totalPages}` } }),
  ),
)
variation(
  'an empty list has one page',
  { because: 'list.paging', near: ['list.empty-shape', 'list.filter-narrows', 'list.one-shape'] },
  tamper(LIST, (body) => (body.totalItems === 0 ? { ...body, totalPages: 1 } : body)),
)
variation(
  'an empty list is page 0 of 0',
  { because: 'list.paging', near: ['list.empty-shape', 'list.filter-narrows', 'list.one-shape'] },
  tamper(LIST, (body) => (body.totalItems === 0 ? { ...body, page: 0 } : body)),
)

/** Counts pages from another number than 1. */
const countsFrom = (first: number) =>
  all(
    rewriteQuery(LIST, (query) => {
      const page = query.get('page')
      if (page !== null) query.set('page', String(Number(page) - first + 1))
    }),
    tamper(LIST, (body) => ({ ...body, page: Number(body.page) + first - 1 })),
  )
variation(
  'pages are counted from 0',
  { because: 'list.paging', near: [...walking, ...nearReading] },
  countsFrom(0),
)
variation(
  'pages are counted from 0, and a page beyond the last one is rejected',
  { because: 'list.paging', near: [...walking, ...beyond] },
  all(
    countsFrom(0),
    whereBeyond(() => fieldRejection(404)),
  ),
)
variation(
  'pages are counted from 0, in pages of at least 5',
  { because: 'list.paging', near: [...walking, ...beyond, 'record.id-unique', 'delete.unlisted'] },
  all(
    countsFrom(0),
    rewriteQuery(LIST, (query) => query.set('perPage', String(Math.max(5, Number(query.get('perPage')))))),
  ),
)

/** An order of the whole list if none is requested. */
const usualOrder = (sort: string | ((size: string | null) => string)) =>
  rewriteQuery(LIST, (query) => {
    if (!query.get('sort')) query.set('sort', typeof sort === 'string' ? sort : sort(query.get('perPage')))
  })
for (const [words, sort] of [
  ['newest', '-created,-id'],
  ['by id, downwards,', '-id'],
  ['as they were last changed', '-updated,id'],
] as const)
  variation(
    `records come ${words} first without a sort`,
    { because: 'list.paging', near: [...walking, 'list.pagination-stable', ...nearReading] },
    usualOrder(sort),
  )
variation(
  'the order of records depends on the page size without a sort',
  { because: 'list.paging', near: [...walking, 'list.pagination-stable'] },
  usualOrder((size) => (Number(size) % 2 === 0 ? 'id' : '-id')),
)
variation(
  'records with equal sort values are listed newest first',
  { because: 'sort.syntax', near: ['list.sort-orders', 'list.sort-keeps-set', 'list.sort-across-pages'] },
  rewriteQuery(LIST, (query) => {
    const sort = query.get('sort')
    if (sort) query.set('sort', `${sort},-created,-id`)
  }),
)

const byId = ['list.pagination-covers', 'list.pagination-stable'] as const
for (const status of [400, 403, 404, 422, 501])
  variation(
    `a sort by id is rejected with ${status}`,
    { because: 'sort.syntax', near: byId },
    rejectsQuery('sort', /^-?id$/, status),
  )
variation(
  'a sort by id is ignored',
  { because: 'sort.syntax', near: byId },
  rewriteQuery(LIST, (query) => {
    if (/^-?id$/.test(query.get('sort') ?? '')) query.delete('sort')
  }),
)
variation(
  'the times of a record are not sortable',
  { because: 'sort.syntax', near: ['list.pagination-covers', 'list.sort-orders', 'list.sort-across-pages'] },
  rejectsQuery('sort', /created|updated|id/),
)
/** What sorts lists on its way. */
const sorting = [
  'list.pagination-covers',
  'list.pagination-stable',
  'list.expand-relation',
  'list.expand-keeps-record',
  'list.any-caller',
  'list.per-page',
  'list.filter-all-pages',
  'table.by-id',
  'delete.unlisted',
] as const
/** Its target file says in which form it takes an order, so that no trial finds that it has none. */
const namesOrder = (target: Target): Target => ({ ...target, named: ['list.sort'] })
const sortable: readonly [what: string, others: RegExp, unjudged: readonly string[]][] = [
  ['the times of a record are', /^(?!-?(created|updated)$)/, ['text', 'keeps-set', 'across-pages']],
  ['ids are', /^(?!-?id$)/, ['text', 'keeps-set', 'across-pages']],
  ['numbers are', /^(?!-?(rank|number)$)/, ['text']],
]
for (const [what, others, unjudged] of sortable)
  variation(
    `only ${what} sortable, other orders are rejected`,
    {
      because: 'sort.syntax',
      near: [...sorting, 'list.sort-orders', ...unjudged.map((each) => `list.sort-${each}`)],
      declares: Object.fromEntries(
        unjudged.map((each) => [`list.sort-${each}`, 'the field that it orders by is not sortable']),
      ),
      target: namesOrder,
    },
    rejectsQuery('sort', others),
  )
variation(
  'a page number beyond a thousand is rejected',
  { because: '8', near: ['list.page-beyond-end'] },
  rejectsQuery('page', /^\d{4,}$/, 422),
)
variation(
  'a page beyond the last one returns 500',
  { because: '7', near: beyond, declares: { 'wire.no-5xx': 'an error of the server is always reported' } },
  (tools) => whereBeyond(() => json(500, { message: 'no such page' }))(tools),
)
variation(
  'a whole table cannot be ordered',
  {
    because: 'sort.syntax',
    near: ['list.sort-orders', 'list.sort-across-pages', 'list.pagination-covers', 'delete.unlisted'],
    // A target file that names the form has both judged.
    declares: {
      'list.sort-orders': 'the form of an order is tried on the whole table',
      'list.sort-across-pages': 'the form of an order is tried on the whole table',
    },
  },
  on(LIST, async (request, next) => {
    const query = new URL(request.url).searchParams
    return query.has('sort') && !query.has('filter') ? fieldRejection(400) : next(request)
  }),
)

/** How many records of another client are in the table before a run, and how many a page shows at most. */
const crowd = 12
const crowdedPage = 5

/** Another client deletes its oldest record before each further page, and creates a new one: the total stays. */
const whileOthersWrite: Variation['make'] = (tools) => {
  const theirs: string[] = []
  const records = `${tools.prefix}/collections/conf_plain/records`
  const create = async (request: Request) => {
    const response = await tools.asSuperuser(
      another(request, 'POST', records, { title: 'of another client' }),
    )
    theirs.push(String(((await response.json()) as JsonValue).id))
  }
  return on('listRecords', async (request, next, { table }) => {
    const query = new URL(request.url).searchParams
    if (table !== 'conf_plain' || query.has('filter') || query.has('sort')) return next(request)
    while (theirs.length < crowd) await create(request)
    if (Number(query.get('page') ?? 1) > 1) {
      await tools.asSuperuser(another(request, 'DELETE', `${records}/${theirs.shift()}`))
      await create(request)
    }
    return next(request)
  })(tools)
}
variation(
  'other clients write between two pages of a whole table',
  {
    because: '8',
    near: ['create.listed', 'create.only-one', 'update.only-one', 'delete.unlisted', 'delete.only-one'],
  },
  all(
    rewriteQuery('listRecords', (query) => {
      if (!query.has('filter'))
        query.set('perPage', String(Math.min(crowdedPage, Number(query.get('perPage') ?? 30))))
    }),
    whileOthersWrite,
  ),
)
