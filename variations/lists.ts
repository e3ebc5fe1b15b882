/** Lists: pages, sizes, totals, order, conditions and expansion as the document leaves them open. */

import { all, itemsOf, type Json, on, rewriteQuery, tamper } from '../faults/combinators/combinators.ts'
import { refusal } from '../faults/combinators/field.ts'
import { refusesQuery } from '../faults/combinators/query.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('lists')

const walks = [
  'list.shape',
  'list.paginated',
  'list.page',
  'list.without-condition',
  'list.pagination-covers',
  'list.pagination-stable',
  'list.filter-narrows',
  'list.filter-all-pages',
  'list.sort-orders',
  'list.sort-keeps-set',
  'list.sort-across-pages',
  'list.expand-relation',
] as const

variation(
  'pages are counted from 0',
  { because: 'list.paging', near: walks },
  all(
    rewriteQuery('listRecords', (query) => {
      const page = query.get('page')
      if (page !== null) query.set('page', String(Number(page) + 1))
    }),
    tamper('listRecords', (body) => ({ ...body, page: Number(body.page) - 1 })),
  ),
)

variation(
  'five records are a page where no size is asked for',
  { because: 'list.paging', near: walks },
  rewriteQuery('listRecords', (query) => {
    if (!query.has('perPage')) query.set('perPage', '5')
  }),
)

variation(
  'large pages are rejected',
  { because: 'list.paging', near: walks },
  refusesQuery('perPage', /^(2[1-9]|[3-9]\d|\d{3,})$/),
)

variation(
  'a page beyond the last one is rejected',
  { because: 'list.paging', near: ['list.page-beyond-end'] },
  on('listRecords', async (request, next) => {
    const response = await next(request)
    const body = (await response.clone().json()) as Json
    return response.ok && Number(body.page) > Math.max(1, Number(body.totalPages)) ? refusal(404) : response
  }),
)

variation(
  'a list tells how long it took',
  { because: '2.4', near: ['list.pagination-stable', 'list.one-shape'] },
  (tools) => {
    let took = 0
    return tamper('listRecords', (body) => ({ ...body, took: took++ }))(tools)
  },
)

variation(
  'related records come beside the items',
  { because: '4.1 expansion', near: ['list.expand-relation', 'list.expand-keeps-record'] },
  tamper('listRecords', (body) => ({
    ...body,
    items: itemsOf(body).map(({ expand: _beside, ...item }) => item),
    ...(itemsOf(body).some(({ expand }) => expand) && {
      included: itemsOf(body).flatMap(({ expand }) => Object.values((expand ?? {}) as Json)),
    }),
  })),
)
