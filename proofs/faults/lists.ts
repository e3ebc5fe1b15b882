/** Defects of lists: their shape, pages, totals and parameters. */

import { hasMemberToken, tokenIn } from './combinators/auth.ts'
import {
  all,
  another,
  dropQuery,
  type JsonValue,
  json,
  listItems,
  on,
  reorder,
  rewriteQuery,
  tamper,
  tamperError,
} from './combinators/combinators.ts'
import { hasOwnFields } from './combinators/field.ts'
import { misreadsQuery, overlooks, rejectsQuery, tamperList } from './combinators/query.ts'
import { fault } from './fault.ts'

const LIST = 'listRecords'
const queryOf = (request: Request) => new URL(request.url).searchParams
const pageOf = (request: Request) => Number(queryOf(request).get('page') ?? 1)

// The shape.
fault(
  'totals are strings',
  { trips: ['list.shape'] },
  tamper(LIST, (body) => ({ ...body, totalItems: String(body.totalItems) })),
)
fault(
  'items are an object by id',
  { trips: ['list.shape'] },
  tamper(LIST, (body) => ({
    ...body,
    items: Object.fromEntries(listItems(body).map((item) => [item.id, item])),
  })),
)
fault(
  'lists of auth tables have a key of their own',
  { trips: ['list.one-shape'] },
  tamper(LIST, (body, _request, { table }) =>
    table === 'conf_members' ? { ...body, tableType: 'auth' } : body,
  ),
)
fault(
  'an empty list has no items at all',
  { trips: ['list.empty-shape', 'list.no-match', 'list.page-past-end'] },
  tamper(LIST, (body) => (listItems(body).length === 0 ? { ...body, items: null } : body)),
)
fault(
  'items do not name their table',
  { trips: ['list.items'] },
  reorder((items) => items.map(({ collectionName, ...item }) => item)),
)
fault(
  'lists leave out json values',
  { trips: ['list.items-as-viewed'] },
  reorder((items) => items.map(({ json: _json, ...item }) => item)),
)

fault(
  'lists cut strings after 60 characters',
  { trips: ['list.items-as-viewed'] },
  reorder((items) => items.map((item) => ({ ...item, title: String(item.title).slice(0, 60) }))),
)
fault(
  'lists leave out a field that only the own table has',
  { trips: ['list.items-as-viewed'] },
  all(
    reorder((items) => items.map(({ subtitle: _subtitle, ...item }) => item)),
    hasOwnFields({ subtitle: '' }, (own, sent) => ({ ...own, ...sent })),
  ),
)

// Pages.
fault('the page number is ignored', { trips: ['list.paginated'] }, dropQuery(LIST, 'page'))
fault(
  'pages are counted from 0',
  { trips: ['list.page', 'list.default-page'] },
  tamper(LIST, (body) => ({ ...body, page: Number(body.page) - 1 })),
)
fault('the page size is ignored', { trips: ['list.per-page-cap'] }, dropQuery(LIST, 'perPage'))
fault(
  'the page size is ignored, but reported as applied',
  { trips: ['list.at-most-per-page', 'list.paginated', 'list.per-page'] },
  all(
    tamper(LIST, (body, request) => ({
      ...body,
      perPage: Number(queryOf(request).get('perPage') ?? body.perPage),
    })),
    dropQuery(LIST, 'perPage'),
  ),
)
fault(
  'every page after the ninth is the first page',
  { trips: ['list.pagination-covers'] },
  on(LIST, async (request, next) => {
    const page = pageOf(request)
    if (page < 10) return next(request)
    const url = new URL(request.url)
    url.searchParams.set('page', '1')
    const body = (await (await next(another(request, 'GET', url.href))).json()) as JsonValue
    return json(200, { ...body, page })
  }),
)
fault(
  'an empty page beyond the last one has the number of the last one',
  { trips: ['list.page'] },
  tamper(LIST, (body) => ({
    ...body,
    page: Math.max(1, Math.min(Number(body.page), Number(body.totalPages))),
  })),
)
fault(
  'page numbers above nine keep their last digit',
  { trips: ['list.page'] },
  tamper(LIST, (body) => ({ ...body, page: Number(String(body.page).slice(-1)) || 10 })),
)
fault(
  'a page of ten records has nine',
  { trips: ['list.paginated', 'list.per-page'] },
  reorder((items) => (items.length >= 10 ? items.slice(0, 9) : items)),
)
fault(
  'lists have at most nine pages',
  { trips: ['list.total-pages'] },
  tamper(LIST, (body) => ({ ...body, totalPages: Math.min(9, Number(body.totalPages)) })),
)
fault(
  'totals are at most twelve',
  { trips: ['list.total-items'] },
  tamper(LIST, (body) => ({ ...body, totalItems: Math.min(12, Number(body.totalItems)) })),
)
fault(
  'totals after the ninth page are those of ten records',
  { trips: ['list.totals-agree', 'list.total-items'] },
  tamper(LIST, (body) => (Number(body.page) > 9 ? { ...body, totalItems: 10 } : body)),
)
fault(
  'a sort applies to the first nine pages only',
  { trips: ['list.sort-across-pages'] },
  on(LIST, async (request, next) => {
    const query = queryOf(request)
    if (pageOf(request) < 10 || query.get('sort') === null) return next(request)
    const url = new URL(request.url)
    url.searchParams.delete('sort')
    return next(another(request, 'GET', url.href))
  }),
)
fault(
  'records with equal sort values are on one page only',
  { trips: ['list.pagination-covers'] },
  reorder((items, request) =>
    /^-?rank$/.test(queryOf(request).get('sort') ?? '')
      ? items.filter(({ rank }, at) => items.findIndex((item) => item.rank === rank) === at)
      : items,
  ),
)
fault('a create shifts later pages by two records', { trips: ['list.pagination-covers'] }, (tools) => {
  let created = 0
  return on([LIST, 'createRecord'], async (request, next, { operation }) => {
    const response = await next(request.clone())
    if (operation === 'createRecord') {
      created += 1
      return response
    }
    if (pageOf(request) === 1) created = 0
    if (created === 0 || !response.ok) return response
    const body = (await response.json()) as JsonValue
    return json(200, { ...body, items: listItems(body).slice(2) })
  })(tools)
})
fault(
  'perPage is the number of items',
  { trips: ['list.per-page', 'list.default-per-page'] },
  tamper(LIST, (body) => ({ ...body, perPage: listItems(body).length })),
)
fault(
  'the last record of a full page is lost',
  { trips: ['list.full-pages', 'list.pagination-covers'] },
  reorder((items, request) =>
    items.length === Number(queryOf(request).get('perPage')) ? items.slice(0, -1) : items,
  ),
)
fault(
  'pages overlap by one record',
  { trips: ['list.pagination-covers', 'sort.pages'] },
  on(LIST, async (request, next) => {
    const page = pageOf(request)
    const response = await next(request.clone())
    if (!response.ok || !(page > 1)) return response
    const before = new URL(request.url)
    before.searchParams.set('page', String(page - 1))
    const last = listItems(
      (await (await next(another(request, 'GET', before.href))).json()) as JsonValue,
    ).slice(-1)
    const body = (await response.json()) as JsonValue
    return json(200, { ...body, items: [...last, ...listItems(body)].slice(0, listItems(body).length) })
  }),
)
fault(
  'pages are sorted within, but not one after the other',
  { trips: ['list.pagination-covers', 'list.sort-across-pages', 'sort.pages'] },
  on(LIST, async (request, next) => {
    if (queryOf(request).get('sort') === null) return next(request)
    const [unsorted, whole] = [new URL(request.url), new URL(request.url)]
    unsorted.searchParams.delete('sort')
    whole.searchParams.set('page', '1')
    whole.searchParams.set('perPage', '1000')
    const order = await next(another(request, 'GET', whole.href))
    if (!order.ok) return order
    const ids = listItems((await order.json()) as JsonValue).map(({ id }) => id)
    const body = (await (await next(another(request, 'GET', unsorted.href))).json()) as JsonValue
    const items = listItems(body).toSorted((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id))
    return json(200, { ...body, items })
  }),
)
fault(
  'later pages are empty until the first page is requested',
  { trips: ['list.pagination-stable'] },
  (tools) => {
    const begun = new Set<string>()
    return reorder((items, request) => {
      const query = queryOf(request)
      query.delete('page')
      if (pageOf(request) === 1) begun.add(query.toString())
      return begun.has(query.toString()) ? items : []
    })(tools)
  },
)
fault('every other list is in reverse order', { trips: ['list.pagination-stable'] }, (tools) => {
  let turn = 0
  return reorder((items) => (turn++ % 2 === 0 ? items : items.toReversed()))(tools)
})
/** Shows the last page instead of one beyond it; `tell` changes what the response says about it. */
function showsLast(tell: (body: JsonValue, asked: number) => JsonValue) {
  return on(LIST, async (request, next) => {
    const asked = pageOf(request)
    const response = await next(request.clone())
    const { totalPages } = (await response.clone().json()) as JsonValue
    if (!response.ok || !(asked > Number(totalPages))) return response
    const url = new URL(request.url)
    url.searchParams.set('page', String(totalPages))
    return json(200, tell((await (await next(another(request, 'GET', url.href))).json()) as JsonValue, asked))
  })
}
fault(
  'a page beyond the end is the last page',
  { trips: ['list.page-past-end'] },
  showsLast((body) => body),
)
fault(
  'a page beyond the end has the records of the last page',
  { trips: ['list.page-beyond-end', 'list.page-past-end'] },
  showsLast((body, asked) => ({ ...body, page: asked })),
)
fault(
  'a page beyond the end is reported as page 1 and has the records of the last page',
  { trips: ['list.page-beyond-end'] },
  showsLast((body) => ({ ...body, page: 1 })),
)
fault(
  'an absurd page number overflows to the first page',
  { trips: ['list.page-huge'] },
  misreadsQuery('page', (text) => (Number(text) > 1e15 ? '1' : text)),
)
fault('page 0 is rejected', { trips: ['list.page-below-one'] }, rejectsQuery('page', /^(0|-\d+)$/))
fault(
  'a page size of 0 is 1',
  { trips: ['list.per-page-below-one'] },
  misreadsQuery('perPage', (text) => (Number(text) <= 0 ? '1' : text)),
)
fault(
  'a page size of 0 returns every record',
  { trips: ['list.per-page-below-one'] },
  on(LIST, async (request, next) => {
    if (!/^(0|-\d+)$/.test(queryOf(request).get('perPage') ?? '')) return next(request)
    const url = new URL(request.url)
    url.searchParams.set('perPage', '1000')
    const body = (await (await next(another(request, 'GET', url.href))).json()) as JsonValue
    return json(200, { ...body, perPage: 30 })
  }),
)
fault(
  'the default page size is 20',
  { trips: ['list.default-per-page', 'list.per-page-below-one'] },
  rewriteQuery(LIST, (query) => {
    if (!(Number(query.get('perPage')) > 0)) query.set('perPage', '20')
  }),
)
fault(
  'the page size is limited to 500',
  { trips: ['list.per-page-cap'] },
  misreadsQuery('perPage', (text) => (Number(text) > 500 ? '500' : text)),
)
fault(
  'the page size is limited to 100, except for a thousand',
  { trips: ['list.per-page-cap'] },
  misreadsQuery('perPage', (text) => (Number(text) > 100 && Number(text) < 1000 ? '100' : text)),
)
fault(
  'a page size below -1000 is read as the largest',
  { trips: ['list.per-page-below-one'] },
  misreadsQuery('perPage', (text) => (Number(text) < -1000 ? '1000' : text)),
)
fault(
  'an invalid number is read as the default',
  { trips: ['list.page-malformed', 'list.per-page-malformed', 'list.refusal-envelope'] },
  overlooks((query) => {
    query.delete('page')
    query.delete('perPage')
  }),
)
fault(
  'a plus sign is not accepted in a number',
  { trips: ['list.signed-number'] },
  all(rejectsQuery('page', /\+/), rejectsQuery('perPage', /\+/)),
)

// Totals.
fault(
  'totals are those of the page',
  { trips: ['list.total-items', 'list.total-pages', 'filter.law-total'] },
  tamper(LIST, (body) => ({ ...body, totalItems: listItems(body).length, totalPages: 1 })),
)
fault(
  'totalPages ignores a page that is not full',
  { trips: ['list.total-pages'] },
  tamper(LIST, (body) => ({
    ...body,
    totalPages: Math.floor(Number(body.totalItems) / Number(body.perPage)),
  })),
)
fault(
  'totals count the records from this page on',
  { trips: ['list.totals-agree', 'list.total-items'] },
  tamper(LIST, (body) => ({
    ...body,
    totalItems: Number(body.totalItems) - (Number(body.page) - 1) * Number(body.perPage),
  })),
)
fault(
  'totals count records that the caller does not see',
  { trips: ['list.total-items'] },
  on(LIST, async (request, next, _match, { asSuperuser }) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { totalItems, totalPages } = (await (await asSuperuser(request)).json()) as JsonValue
    return json(200, { ...((await response.json()) as JsonValue), totalItems, totalPages })
  }),
)
fault('totals are never updated', { trips: ['list.total-follows-writes'] }, (tools) => {
  const kept = new Map<string, unknown>()
  return tamper(LIST, (body, request) => {
    if (!kept.has(request.url)) kept.set(request.url, body.totalItems)
    return { ...body, totalItems: kept.get(request.url) }
  })(tools)
})
fault(
  'an empty list has one page',
  { trips: ['list.no-match'] },
  tamper(LIST, (body) => (body.totalItems === 0 ? { ...body, totalPages: 1 } : body)),
)
fault(
  'totals count the rows of joins',
  { trips: ['list.joins-count-once'] },
  tamperList('filter', /relations\./, (body) => ({ ...body, totalItems: Number(body.totalItems) + 1 })),
)
fault(
  'a record is listed once for each related record',
  { trips: ['list.joins-count-once', 'filter.many-any'] },
  tamperList('filter', /relations\.\w+ \?/, (body) => ({
    ...body,
    items: listItems(body).flatMap((item) => [item, item]),
  })),
)
fault(
  'skipTotal is ignored',
  { trips: ['list.skip-total', 'list.skip-total-values'] },
  dropQuery(LIST, 'skipTotal'),
)
fault(
  'skipTotal ignores the filter',
  { trips: ['list.skip-total'] },
  rewriteQuery(LIST, (query) => {
    if (query.get('skipTotal') === 'true') query.delete('filter')
  }),
)
fault(
  'skipTotal works for the first page only',
  { trips: ['list.skip-total'] },
  on(LIST, async (request, next) => {
    const url = new URL(request.url)
    if (url.searchParams.get('skipTotal') !== 'true') return next(request)
    url.searchParams.delete('page')
    const body = (await (await next(another(request, 'GET', url.href))).json()) as JsonValue
    return json(200, { ...body, page: pageOf(request) })
  }),
)
fault(
  'skipTotal accepts only true and false',
  { trips: ['list.skip-total-values'] },
  rejectsQuery('skipTotal', /^([tTfF01]|T.+|F.+)$/),
)
fault(
  'an invalid skipTotal is read as false',
  { trips: ['list.skip-total-malformed'] },
  overlooks((query) => query.delete('skipTotal')),
)

// Parameters.
fault('a blank parameter is rejected', { trips: ['list.blank-parameters'] }, rejectsQuery('page', /^$/))
fault(
  'an unknown parameter is rejected',
  { trips: ['list.unknown-parameter'] },
  rejectsQuery('conf_unknown', /./),
)
fault(
  'parameter names are case-insensitive',
  { trips: ['list.parameter-case'] },
  rewriteQuery(LIST, (query) => {
    for (const [name, value] of [...query])
      for (const known of ['page', 'perPage', 'sort', 'filter', 'skipTotal'])
        if (name !== known && name.toLowerCase() === known.toLowerCase()) query.set(known, value)
  }),
)
fault(
  'the last of several values is used',
  { trips: ['list.repeated-parameter'] },
  rewriteQuery(LIST, (query) => {
    for (const name of new Set(query.keys())) query.set(name, query.getAll(name).at(-1) ?? '')
  }),
)
fault(
  'a rejected list names the parameter in data',
  { trips: ['list.refusal-envelope'] },
  tamperError(LIST, (body) => ({ ...body, data: { query: { code: 'invalid', message: 'Invalid.' } } })),
)

fault(
  'lists of a signed-in user are not sorted',
  { trips: ['list.sort-orders'] },
  on(LIST, async (request, next) => {
    const url = new URL(request.url)
    if (hasMemberToken(request)) url.searchParams.delete('sort')
    return next(new Request(url, { headers: request.headers }))
  }),
)
fault(
  'sorted lists of a superuser are in reverse order',
  { trips: ['list.sort-orders'] },
  reorder((items, request) =>
    tokenIn(request) !== '' && !hasMemberToken(request) && queryOf(request).has('sort')
      ? items.toReversed()
      : items,
  ),
)
fault(
  'the totals of a signed-in user count one page only',
  { trips: ['list.total-items'] },
  tamper(LIST, (body, request) =>
    hasMemberToken(request) && Number(body.totalPages) > 1
      ? { ...body, totalItems: listItems(body).length, totalPages: 1 }
      : body,
  ),
)
fault(
  'lists of the table for superusers have only a first page',
  { trips: ['list.pagination-covers'] },
  rewriteQuery(LIST, (query, { table }) => {
    if (table === 'conf_locked') query.delete('page')
  }),
)
fault(
  'without a page size, every page is the first',
  { trips: ['list.pagination-covers'] },
  all(
    tamper(LIST, (body, request) => ({ ...body, page: pageOf(request) })),
    rewriteQuery(LIST, (query) => {
      if (!query.has('perPage')) query.delete('page')
    }),
  ),
)
fault(
  'the offset of a page is computed in 32 bits',
  { trips: ['list.page-beyond-end'] },
  all(
    tamper(LIST, (body, request) =>
      pageOf(request) > 1_000_000 ? { ...body, page: pageOf(request) } : body,
    ),
    rewriteQuery(LIST, (query) => {
      const [page, size] = [Number(query.get('page')), Number(query.get('perPage'))]
      if (!(page > 1_000_000 && size > 0)) return
      const offset = Math.max(0, ((page - 1) * size) | 0)
      query.set('page', String(Math.floor(offset / size) + 1))
    }),
  ),
)
