/**
 * The forms in which servers take the parts of the query of a list, in addition to the profile's. The document leaves them
 * open, so a run that knows only the address tries those of widespread frameworks and query languages, the most common first.
 *
 * A template with quotes comes before the same one without: a server that takes both reads more values with quotes.
 *
 * @module
 */

import type { Binding } from '../../spec/vocabulary.ts'
import type { QueryPart } from '../vocabulary/target.ts'

const sizeNames = [
  'limit',
  'per_page',
  'pageSize',
  'page_size',
  'size',
  'page[size]',
  'perpage',
  'pagesize',
  'itemsPerPage',
  'items_per_page',
  'pagination[pageSize]',
  'take',
  'top',
  '$top',
  '$limit',
  'count',
  'max_results',
  'maxResults',
  'hitsPerPage',
  'rows',
  '_limit',
  '_per_page',
  'page[limit]',
  '$size',
  '$pageSize',
  'per-page',
  'page_limit',
  'pageLimit',
  'results_per_page',
  'resultsPerPage',
]

const pageNames = [
  'pageNumber',
  'pageNo',
  'page_number',
  'page_no',
  'pageIndex',
  'number',
  'p',
  'page[number]',
  'pageNum',
  'page_num',
  'pagination[page]',
  'currentPage',
  'current_page',
  'page_index',
  '$page',
  '_page',
  'pg',
]

/** Conditions that are the value of a parameter. */
const conditionValues: readonly (readonly [parameter: string, ...templates: string[]])[] = [
  ['filter', "{field} = '{value}'", '{field}={value}', '{field}:{value}', '{field}:"{value}"'],
  ['filter', '{"{field}":"{value}"}', '{"{field}":{"eq":"{value}"}}'],
  ['where', '{"{field}":"{value}"}'],
  ['$filter', "{field} eq '{value}'"],
  ['q', '{field}:"{value}"', '{field}:{value}', '{field}={value}', '{"{field}":"{value}"}'],
  // RSQL and FIQL
  ...['filter', 'q', 'query', 'search'].map(
    (parameter) => [parameter, "{field}=='{value}'", '{field}=="{value}"', '{field}=={value}'] as const,
  ),
  // OData and SCIM
  ['filter', "{field} eq '{value}'", '{field} eq "{value}"', '{field} eq {value}'],
  // RQL and JSON:API
  ['filter', "equals({field},'{value}')", "eq({field},'{value}')", 'eq({field},{value})'],
  ['filter', '{field}:eq:{value}', '{field},eq,{value}', '{field}||$eq||{value}', '{field}|eq|{value}'],
  ['filter', '{"{field}":{"_eq":"{value}"}}', '{"{field}":{"$eq":"{value}"}}'],
  ['filter', '{"where":{"{field}":"{value}"}}', '[["{field}","=","{value}"]]'],
  ['filter', '[{"field":"{field}","op":"eq","value":"{value}"}]'],
  ['where', "{field} = '{value}'", '{field} = "{value}"', "{field}='{value}'", '{field}=={value}'],
  [
    'where',
    '{"{field}":{"equals":"{value}"}}',
    '{"{field}":{"_eq":"{value}"}}',
    '{"{field}":{"eq":"{value}"}}',
  ],
  [
    'filters',
    '{"{field}":"{value}"}',
    '{"{field}":{"$eq":"{value}"}}',
    '{field}=={value}',
    '{field}:{value}',
  ],
  ['query', '{"{field}":"{value}"}', '{field}:"{value}"', '{field}:{value}', '{field}={value}'],
  ['search', '{field}:"{value}"', '{field}:{value}', '{"{field}":"{value}"}'],
  ['s', '{"{field}":"{value}"}'],
]

/** Common conditions that are parameters of their own. */
const commonConditionPieces = [
  '{field}={value}',
  'filter[{field}]={value}',
  'filter[{field}][eq]={value}',
  'where[{field}]={value}',
  'where[{field}][eq]={value}',
  '{field}=eq.{value}',
  'filters[{field}][$eq]={value}',
]
/** Others of this kind. */
const otherConditionPieces = [
  'filters[{field}]={value}',
  'filters[{field}][eq]={value}',
  'filter[{field}][_eq]={value}',
  'filter[{field}][$eq]={value}',
  'filter[{field}][equals]={value}',
  'where[{field}][equals]={value}',
  'filter[where][{field}]={value}',
  'filter.{field}={value}',
  'filter.{field}=$eq:{value}',
  'filter_{field}={value}',
  '{field}[eq]={value}',
  '{field}[]={value}',
  '{field}__eq={value}',
  '{field}__exact={value}',
  '{field}_eq={value}',
  '{field}.eq={value}',
  'q[{field}]={value}',
  'q[{field}_eq]={value}',
  'query[{field}]={value}',
  'search[{field}]={value}',
]

const condition = (parameter: string, template: string): Binding => ({
  'list.filter': parameter,
  'filter.equals': template,
})
const conditionForms = [
  ...commonConditionPieces.map((template) => condition('', template)),
  ...conditionValues.flatMap(([parameter, ...templates]) =>
    templates.map((template) => condition(parameter, template)),
  ),
  ...otherConditionPieces.map((template) => condition('', template)),
]

const order = (parameter: string, ascending: string, descending: string): Binding => ({
  'list.sort': parameter,
  'sort.ascending': ascending,
  'sort.descending': descending,
})
/** @param template in which `{direction}` is one of the words */
const directed = (parameter: string, template: string, [up, down]: readonly [string, string]): Binding =>
  order(parameter, template.replace('{direction}', up), template.replace('{direction}', down))

const orderNames = [
  'sort',
  'orderBy',
  'sortBy',
  'order_by',
  'sort_by',
  'order',
  'ordering',
  '$orderby',
  'sorting',
  'sorts',
  'orderby',
  'sortby',
  'sort_key',
  '$sort',
  '_sort',
]
const directionNames = [
  'order',
  'dir',
  'direction',
  'sortOrder',
  'sort_order',
  'sortDirection',
  'sort_direction',
  'orderDirection',
  'sort_dir',
  'sortDir',
  'orderDir',
  '_order',
]
const directionWords = [
  ['asc', 'desc'],
  ['ASC', 'DESC'],
] as const

/**
 * In most servers, the name of a field alone is the ascending order. These forms share that list, which is requested once:
 * if it is not in order, none of the descending forms is requested.
 */
const descendingForms = orderNames.flatMap((name) => [
  ...['-{field}', ...['desc', 'DESC'].flatMap(descendingOf), 'desc({field})', '!{field}'].map((descending) =>
    order(name, '{field}', descending),
  ),
  ...directionNames
    .filter((direction) => direction !== name)
    .flatMap((direction) =>
      ['desc', 'DESC'].map((word) => order('', `${name}={field}`, `${name}={field}&${direction}=${word}`)),
    ),
])

function descendingOf(word: string): string[] {
  return [':', ',', '.', ' ', '|', '_'].map((separator) => `{field}${separator}${word}`)
}

/** Usual pairs of a parameter for the field and one for the direction. */
const orderPairs = [
  ['sort', 'order'],
  ['sort', 'direction'],
  ['sort', 'dir'],
  ['sortBy', 'order'],
  ['sortBy', 'sortOrder'],
  ['sortBy', 'sortDirection'],
  ['sort_by', 'sort_order'],
  ['sort_by', 'order'],
  ['sort_key', 'sort_dir'],
  ['orderBy', 'order'],
  ['orderBy', 'dir'],
  ['orderBy', 'direction'],
  ['order_by', 'direction'],
  ['_sort', '_order'],
] as const

/** Forms of servers that need the direction, or whose usual direction is descending. */
const directedForms = [
  ...directionWords.flatMap((words) => [
    ...['sort', 'sortBy', 'order', 'orderBy', 'sort_by', 'order_by'].flatMap((name) =>
      [':', ',', ' ', '.', '|'].map((separator) => directed(name, `{field}${separator}{direction}`, words)),
    ),
    directed('$orderby', '{field} {direction}', words),
    ...['sort', 'order', 'orderBy', 'sortBy'].map((name) =>
      directed('', `${name}[{field}]={direction}`, words),
    ),
    ...['sort', 'order', 'orderBy'].map((name) => directed(name, '{"{field}":"{direction}"}', words)),
    directed('sort', '[["{field}","{direction}"]]', words),
    directed('sort', '{direction}({field})', words),
    ...['filter[order]', 'q[s]'].map((name) => directed(name, '{field} {direction}', words)),
    ...orderPairs.map(([name, direction]) => directed('', `${name}={field}&${direction}={direction}`, words)),
  ]),
  order('sort', '+{field}', '-{field}'),
  ...['sort', '$sort'].map((name) => directed('', `${name}[{field}]={direction}`, ['1', '-1'])),
  directed('sort', '{"{field}":{direction}}', ['1', '-1']),
  directed('sort', '{field}:{direction}', ['1', '-1']),
]

/** `{relation}` is the name of the relation field, or the name without its ending: `author`, and not `authorId`. */
const expansionValues: readonly (readonly [parameter: string, template: string])[] = [
  ...[
    'include',
    'populate',
    'embed',
    'with',
    'relations',
    '$expand',
    '_expand',
    'include[]',
    'expand[]',
    'join',
    'joins',
    'load',
    '_embed',
    '$populate',
    'with[]',
    'relations[]',
    'populate[]',
    'filter[include]',
  ].map((parameter) => [parameter, '{relation}'] as const),
  ['', 'populate[{relation}]=true'],
  ['', 'include[{relation}]=true'],
  ['fields', '*,{relation}.*'],
  ['select', '*,{relation}(*)'],
  ['include', '{"{relation}":true}'],
  ['embedded', '{"{relation}":1}'],
  ['populate', '*'],
  ['depth', '1'],
]

/**
 * Forms of an expansion, in the order in which they are tried.
 *
 * @param field of the relation
 */
export function expansionForms(field: string): Binding[] {
  const bare = field.replace(/(_id|Id|ID)$/, '')
  const relations = bare === field ? ['{field}'] : [bare, '{field}']
  return [
    ...(bare === field ? [] : [{ 'expand.relation': bare }]),
    ...expansionValues.flatMap(([parameter, template]) =>
      (template.includes('{relation}') ? relations : ['']).map((relation) => ({
        'list.expand': parameter,
        'expand.relation': template.replace('{relation}', relation),
      })),
    ),
  ]
}

/** Forms of the other parts, in the order in which they are tried. */
export const queryForms: Readonly<Record<Exclude<QueryPart, 'expansion'>, readonly Binding[]>> = {
  'page size': sizeNames.map((name) => ({ 'list.perPage': name })),
  'page number': pageNames.map((name) => ({ 'list.page': name })),
  filter: conditionForms,
  // The first is the profile's.
  order: [...descendingForms.slice(1), ...directedForms],
}
