/** Queries of lists as other servers write them: names, conditions, orders and expansions. */

import type { Target } from '../../harness/vocabulary/target.ts'
import { dropQuery, on, rewriteQuery } from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { misreadsQuery, rejectsQuery } from '../faults/combinators/query.ts'
import { listedAlone } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('query-words')

/** Checks that say all there is to say in a query. */
const near = [
  'list.filter-narrows',
  'list.filter-all-pages',
  'list.sort-orders',
  'list.sort-text',
  'list.sort-across-pages',
  'list.expand-relation',
  'list.paginated',
] as const

/** A query as the server knows it. */
interface Meant {
  page?: string | null | undefined
  perPage?: string | null | undefined
  filter?: readonly [field: string, value: string] | undefined
  sort?: readonly [field: string, downwards: boolean] | undefined
  expand?: string | null | undefined
}

/** Declares a server that reads queries in its own way, and what its target file says of that. */
function speaks(
  name: string,
  because: string,
  binding: Readonly<Record<string, string>>,
  read: (query: URLSearchParams) => Meant,
): void {
  variation(
    name,
    { because, near, target: (target) => ({ ...target, binding: { ...target.binding, ...binding } }) },
    rewriteQuery('listRecords', (query) => {
      const { page, perPage, filter, sort, expand } = read(query)
      for (const key of [...query.keys()]) query.delete(key)
      const set = (key: string, value: string | null | undefined) => value && query.set(key, value)
      set('page', page)
      set('perPage', perPage)
      set('filter', filter && `${filter[0]} = ${JSON.stringify(filter[1])}`)
      set('sort', sort && `${sort[1] ? '-' : ''}${sort[0]}`)
      set('expand', expand)
    }),
  )
}

type Pair = readonly [string, string]

/** What the reference's own names say. */
const usual = (query: URLSearchParams): Meant => ({
  page: query.get('page'),
  perPage: query.get('perPage'),
  filter: matched(query.get('filter'), /^(\w+) = "(.*)"$/),
  sort: signed(query.get('sort')),
  expand: query.get('expand'),
})

function matched(text: string | null, form: RegExp): Pair | undefined {
  const [, field, value] = form.exec(text ?? '') ?? []
  return field === undefined || value === undefined ? undefined : [field, value]
}

/** The object or list in a parameter; what is not one is ignored. */
function jsonIn<T extends object>(text: string | null): T | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch {
    return undefined
  }
}

function signed(text: string | null): readonly [string, boolean] | undefined {
  return text ? [text.replace(/^-/, ''), text.startsWith('-')] : undefined
}

/** The first parameter whose name has a form. */
function named(query: URLSearchParams, form: RegExp): Pair | undefined {
  for (const [name, value] of query) {
    const field = form.exec(name)?.[1]
    if (field !== undefined) return [field, value]
  }
  return undefined
}

const filters = (
  name: string,
  binding: Record<string, string>,
  read: (query: URLSearchParams) => Meant['filter'],
) => speaks(name, 'filter.language', binding, (query) => ({ ...usual(query), filter: read(query) }))
const sorts = (
  name: string,
  binding: Record<string, string>,
  read: (query: URLSearchParams) => Meant['sort'],
) => speaks(name, 'sort.syntax', binding, (query) => ({ ...usual(query), sort: read(query) }))
const expands = (
  name: string,
  binding: Record<string, string>,
  read: (query: URLSearchParams) => Meant['expand'],
) => speaks(name, 'expand.syntax', binding, (query) => ({ ...usual(query), expand: read(query) }))

filters(
  'a condition is a parameter with the field in brackets',
  { 'list.filter': '', 'filter.equals': 'filter[{field}]={value}' },
  (query) => named(query, /^filter\[(\w+)\]$/),
)
filters(
  'a condition is a parameter with the name of the field',
  { 'list.filter': '', 'filter.equals': '{field}={value}' },
  (query) => named(query, /^(title|name|text|email)$/),
)
filters(
  'a condition is a parameter with the name of the field and an operator in its value',
  { 'list.filter': '', 'filter.equals': '{field}=eq.{value}' },
  (query) => {
    const [field, value] = named(query, /^(title|name|text|email)$/) ?? []
    return field && value?.startsWith('eq.') ? [field, value.slice(3)] : undefined
  },
)
filters(
  'a condition is a parameter with field and operator in brackets',
  { 'list.filter': '', 'filter.equals': 'filters[{field}][$eq]={value}' },
  (query) => named(query, /^filters\[(\w+)\]\[\$eq\]$/),
)
filters(
  'a condition is two parameters, field and value',
  { 'list.filter': '', 'filter.equals': 'where={field}&equals={value}' },
  (query) => {
    const [field, value] = [query.get('where'), query.get('equals')]
    return field === null || value === null ? undefined : [field, value]
  },
)
filters(
  'a condition is a JSON object',
  { 'list.filter': 'where', 'filter.equals': '{"{field}":{"$eq":"{value}"}}' },
  (query) => {
    const [entry] = Object.entries(jsonIn<Record<string, { $eq: string }>>(query.get('where')) ?? {})
    return entry && [entry[0], entry[1].$eq]
  },
)
filters(
  'a condition has two equals signs',
  { 'list.filter': 'query', 'filter.equals': '{field}=={value}' },
  (query) => matched(query.get('query'), /^(\w+)==(.*)$/),
)
filters(
  'a condition has eq between field and value',
  { 'list.filter': '$filter', 'filter.equals': "{field} eq '{value}'" },
  (query) => matched(query.get('$filter'), /^(\w+) eq '(.*)'$/),
)
filters(
  'a condition is a call',
  { 'list.filter': 'filter', 'filter.equals': 'equals({field},"{value}")' },
  (query) => matched(query.get('filter'), /^equals\((\w+),"(.*)"\)$/),
)
filters(
  'a condition is written with a colon',
  { 'list.filter': 'q', 'filter.equals': '{field}:"{value}"' },
  (query) => matched(query.get('q'), /^(\w+):"(.*)"$/),
)

sorts(
  'a sort is two parameters, field and direction',
  {
    'list.sort': '',
    'sort.ascending': 'orderBy={field}&order=asc',
    'sort.descending': 'orderBy={field}&order=desc',
  },
  (query) => {
    const field = query.get('orderBy')
    return field === null ? undefined : [field, query.get('order') === 'desc']
  },
)
sorts(
  'a sort is a parameter with the field in brackets',
  { 'list.sort': '', 'sort.ascending': 'sort[{field}]=1', 'sort.descending': 'sort[{field}]=-1' },
  (query) => {
    const [field, direction] = named(query, /^sort\[(\w+)\]$/) ?? []
    return field === undefined ? undefined : [field, direction === '-1']
  },
)
for (const [words, name, between] of [
  ['a colon', 'sort', ':'],
  ['a dot', 'order', '.'],
  ['a blank', '$orderby', ' '],
  ['a comma', 'sort_by', ','],
] as const)
  sorts(
    `a sort is a field and a direction with ${words} between them`,
    {
      'list.sort': name,
      'sort.ascending': `{field}${between}asc`,
      'sort.descending': `{field}${between}desc`,
    },
    (query) => {
      const [field, direction] = (query.get(name) ?? '').split(between)
      return field ? [field, direction === 'desc'] : undefined
    },
  )
sorts(
  'ascending and descending are separate parameters',
  { 'list.sort': '', 'sort.ascending': 'asc={field}', 'sort.descending': 'desc={field}' },
  (query) => {
    const [up, down] = [query.get('asc'), query.get('desc')]
    if (down !== null) return [down, true]
    return up === null ? undefined : [up, false]
  },
)
sorts(
  'a sort is a JSON array',
  {
    'list.sort': 'sort',
    'sort.ascending': '["{field}","ASC"]',
    'sort.descending': '["{field}","DESC"]',
  },
  (query) => {
    const [field, direction] = jsonIn<string[]>(query.get('sort')) ?? []
    return field === undefined ? undefined : [field, direction === 'DESC']
  },
)

expands(
  'an expansion is true for the relation in brackets',
  { 'list.expand': '', 'expand.relation': 'populate[{field}]=true' },
  (query) => named(query, /^populate\[(\w+)\]$/)?.[0],
)
expands(
  'an expansion requests all fields',
  { 'list.expand': 'select', 'expand.relation': '*,{field}(*)' },
  (query) => /^\*,(\w+)\(\*\)$/.exec(query.get('select') ?? '')?.[1],
)
expands(
  'an expansion is a list in brackets',
  { 'list.expand': 'include[]', 'expand.relation': '{field}' },
  (query) => query.get('include[]'),
)
expands(
  'an expansion is a JSON object',
  { 'list.expand': 'include', 'expand.relation': '{"{field}":true}' },
  (query) => Object.keys(jsonIn<object>(query.get('include')) ?? {})[0],
)
expands(
  'an expansion requests a field of the related records',
  { 'list.expand': 'fields', 'expand.relation': '*.*,{field}.*' },
  (query) => /,(\w+)\.\*$/.exec(query.get('fields') ?? '')?.[1],
)
expands(
  'an expansion gives its depth',
  { 'list.expand': '', 'expand.relation': 'embed={field}&depth=1' },
  (query) => (query.get('depth') === '1' ? query.get('embed') : undefined),
)

speaks(
  'page and size are in brackets',
  'list.parameter-names',
  { 'list.page': 'page[number]', 'list.perPage': 'page[size]' },
  (query) => ({ ...usual(query), page: query.get('page[number]'), perPage: query.get('page[size]') }),
)
speaks(
  'page and size have names with special characters',
  'list.parameter-names',
  {
    'list.page': '$page',
    'list.perPage': 'per-page',
    'list.sort': 'order by',
    'list.filter': 'a=b',
    'list.expand': '☞',
  },
  (query) => ({
    page: query.get('$page'),
    perPage: query.get('per-page'),
    sort: signed(query.get('order by')),
    filter: matched(query.get('a=b'), /^(\w+) = "(.*)"$/),
    expand: query.get('☞'),
  }),
)
speaks(
  'condition and sort are parts of one parameter',
  'list.parameter-names',
  {
    'list.page': 'p',
    'list.perPage': 'limit',
    'list.filter': '',
    'filter.equals': 'f.{field}={value}',
    'list.sort': '',
    'sort.ascending': 's.{field}=up',
    'sort.descending': 's.{field}=down',
    'list.expand': '',
    'expand.relation': 'x.{field}=',
  },
  (query) => {
    const [field, direction] = named(query, /^s\.(\w+)$/) ?? []
    return {
      page: query.get('p'),
      perPage: query.get('limit'),
      filter: named(query, /^f\.(\w+)$/),
      sort: field === undefined ? undefined : [field, direction === 'down'],
      expand: named(query, /^x\.(\w+)$/)?.[0],
    }
  },
)

for (const status of [400, 422, 501])
  variation(
    `conditions on relations are rejected with ${status}`,
    { because: 'filter.language', near: ['list.sort-text', 'list.sort-orders', 'list.filter-all-pages'] },
    rejectsQuery('filter', /parent/, status),
  )

const unsorted = {
  because: 'sort.syntax',
  near: ['list.sort-text', 'list.sort-orders'],
  declares: { 'list.sort-text': 'no text field is sortable' },
}
variation('a sort by a text field is rejected', unsorted, rejectsQuery('sort', /^-?name$/, 422))
variation(
  'a sort by a text field is ignored',
  unsorted,
  rewriteQuery('listRecords', (query) => {
    if (/^-?name$/.test(query.get('sort') ?? '')) query.delete('sort')
  }),
)

variation(
  'a filter takes letters, digits and a few signs',
  { because: 'filter.language', near: ['list.filter-narrows', 'list.filter-all-pages'] },
  rejectsQuery('filter', /[^\w =<>!~&|()"%.@+:-]/, 422),
)
variation(
  'a filter by an address is rejected',
  { because: 'filter.language', near: ['email-change.confirms', 'list.filter-all-pages'] },
  rejectsQuery('filter', /^email /, 422),
)
variation(
  'a filter by an address is compared with its host',
  { because: 'filter.language', near: ['email-change.confirms', 'list.filter-all-pages'] },
  misreadsQuery('filter', (text) => text.replace(/^email = "[^"@]*@/, 'email ~ "@')),
)
variation(
  'filters by numbers, dates and relations find nothing',
  { because: 'filter.language', near: ['list.filter-all-pages'] },
  misreadsQuery('filter', (text) => (/^(number|date|parent) /.test(text) ? 'id = "none"' : text)),
)
variation(
  'conditions on negative numbers are rejected',
  { because: 'filter.language', near: ['list.filter-all-pages'] },
  rejectsQuery('filter', /= -\d+$/, 422),
)
variation(
  'a filter takes a hundred characters',
  { because: 'filter.language', near: ['list.filter-narrows', 'list.filter-all-pages'] },
  rejectsQuery('filter', /^.{101}/s, 414),
)

const selecting = [
  'derived.list-records',
  'derived.view-record',
  'derived.create-record',
  'derived.update-record',
  'derived.auth-with-password',
  'derived.auth-refresh',
] as const
variation(
  'a selection of fields is ignored',
  { because: 'fields.syntax', near: selecting },
  dropQuery('*', 'fields'),
)
for (const status of [400, 422])
  variation(
    `a selection of fields is rejected with ${status}`,
    { because: 'fields.syntax', near: selecting, runs: 4 },
    on('*', async (request, next) =>
      new URL(request.url).searchParams.has('fields') ? fieldRejection(status) : next(request),
    ),
  )

/** Its target file says in which form it takes a condition. */
const namesFilter = (target: Target): Target => ({ ...target, named: ['list.filter', 'filter.equals'] })
/** What requests lists with a condition on its way, and must not depend on it. */
const filtering = [
  'api-key.table-scope',
  'api-key.action-scope',
  'api-key.revoked',
  'auth-record.record-endpoints',
  'auth.token-header',
  'batch.succeeds-together',
  'batch.url',
  'derived.batch',
  'derived.create-record',
  'field-types.keep-values',
  'record.sequences',
  'record.updated-utc',
] as const
const takesNone = 'the field that it filters by takes no conditions'
const listed = [...listedAlone, 'list.own-answer', 'list.any-caller'] as const
const unfiltered = Object.fromEntries(['list.filter-narrows', ...listed].map((id) => [id, takesNone]))
const filterable: readonly [what: string, others: RegExp, declares: Record<string, string>][] = [
  ['ids', /^(?!id\b)/, unfiltered],
  ['texts', /^(?!(title|text|name|label|code)\b)/, {}],
  ['numbers', /^(?!(rank|number)\b)/, unfiltered],
  ['relations', /^(?!(parent|relation|owner)\b)/, unfiltered],
]
for (const [what, others, declares] of filterable)
  variation(
    `only ${what} can be in conditions, others are rejected`,
    {
      because: 'filter.language',
      near: [...filtering, 'list.filter-narrows', ...listed],
      declares,
      target: namesFilter,
    },
    rejectsQuery('filter', others),
  )
