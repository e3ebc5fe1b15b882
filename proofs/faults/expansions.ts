/** Defects of `expand` and `fields`. */

import {
  dropQuery,
  isJsonObject,
  type JsonValue,
  listItems,
  reorder,
  rewriteQuery,
  tamper,
  tamperError,
  tamperRecord,
} from './combinators/combinators.ts'
import {
  misreadsQuery,
  opensQuery,
  overlooks,
  READERS,
  rejectsQuery,
  tamperExpand,
} from './combinators/query.ts'
import { fault } from './fault.ts'

const misreads = (name: 'expand' | 'fields', find: RegExp | string, replacement: string) =>
  misreadsQuery(name, (text) => text.replaceAll(find, replacement), READERS)
const mapValues = (object: JsonValue, change: (value: unknown) => unknown): JsonValue =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

fault(
  'a single related record is a list',
  { trips: ['expand.single'] },
  tamperExpand((expand) => mapValues(expand, (value) => (Array.isArray(value) ? value : [value]))),
)
fault(
  'expanded records are in reverse order',
  { trips: ['expand.multiple'] },
  tamperExpand((expand) => mapValues(expand, (value) => (Array.isArray(value) ? value.toReversed() : value))),
)
fault('only the first path is expanded', { trips: ['expand.several'] }, misreads('expand', /,.*/g, ''))
fault(
  'spaces in paths are not ignored',
  { trips: ['expand.several'] },
  misreadsQuery('expand', (text) => (text.includes(' ') ? '' : text), READERS),
)
fault(
  'only the first step of a path is expanded',
  { trips: ['expand.nested', 'expand.depth'] },
  misreads('expand', /\.[^,]*/g, ''),
)
fault(
  'back-relations are not expanded',
  { trips: ['expand.back-relation'] },
  misreads('expand', /[^,]*_via_[^,]*/g, ''),
)
fault(
  'back-relations are found in lower case only',
  { trips: ['expand.back-relation'] },
  misreads('expand', /[^,]*[A-Z]{5}[^,]*_via_[^,]*/g, ''),
)
fault(
  'a back-relation is always a list',
  { trips: ['expand.back-relation-one'] },
  tamperExpand((expand) =>
    mapValues(expand, (value) => (JSON.stringify(value).includes('"twin"') ? [value] : value)),
  ),
)
fault(
  'the old syntax of back-relations is unknown',
  { trips: ['expand.back-relation-old'] },
  misreads('expand', /\w+\(\w+\)/g, ''),
)
fault('views do not expand', { trips: ['expand.view'] }, dropQuery('viewRecord', 'expand'))
fault(
  'writes do not expand',
  { trips: ['expand.writes'] },
  dropQuery(['createRecord', 'updateRecord'], 'expand'),
)
fault(
  'an unknown path is rejected',
  { trips: ['expand.unknown', 'expand.absent'] },
  rejectsQuery('expand', /nope/, 400, READERS),
)
fault(
  'an empty expand is omitted',
  { trips: ['expand.empty'] },
  tamperExpand((expand) => (Object.keys(expand).length === 0 ? undefined : expand)),
)
fault(
  'every record has an expand',
  { trips: ['expand.absent'] },
  tamperRecord(READERS, (record) => ({ expand: {}, ...record })),
)
fault(
  'five levels are expanded',
  { trips: ['expand.depth'] },
  misreads('expand', /^((\w+\.){4}\w+)\..*$/g, '$1'),
)
fault(
  'seven levels are rejected',
  { trips: ['expand.depth'] },
  rejectsQuery('expand', /(\w+\.){6}/, 400, READERS),
)
fault(
  'a path after its own first step is not expanded',
  { trips: ['expand.merged'] },
  misreads('expand', /^relation,relation\.parent$/g, 'relation'),
)
fault(
  'closed tables are expanded for everyone',
  { trips: ['expand.closed-table'] },
  opensQuery('expand', /closed/, READERS),
)
fault(
  'the view rule is not applied in expand',
  { trips: ['expand.view-rule'] },
  opensQuery('expand', /_via_owner/, READERS),
)
fault(
  'hidden relations are expanded',
  { trips: ['expand.hidden-relation'] },
  opensQuery('expand', /hiddenRel/, READERS),
)

fault(
  'fields is ignored',
  { trips: ['fields.picks', 'fields.list-frame', 'fields.unknown'] },
  dropQuery('listRecords', 'fields'),
)
fault(
  'a selection removes the totals',
  { trips: ['fields.list-frame'] },
  tamper('listRecords', (body, request) =>
    new URL(request.url).searchParams.get('fields') ? { items: listItems(body) } : body,
  ),
)
fault(
  'an unknown name returns null',
  { trips: ['fields.unknown'] },
  tamper('listRecords', (body, request) => ({
    ...body,
    items: listItems(body).map((item) => (request.url.includes('nope') ? { ...item, nope: null } : item)),
  })),
)
fault('names are case-insensitive', { trips: ['fields.unknown'] }, misreads('fields', 'Text', 'text'))
fault(
  'a selection of commas selects nothing',
  { trips: ['fields.blank'] },
  misreads('fields', /^[ ,]+$/g, 'nope'),
)
fault('spaces are part of names', { trips: ['fields.spaces'] }, misreads('fields', /[ \t]/g, '_'))
fault(
  'a star is read as a name',
  { trips: ['fields.wildcard', 'fields.wildcard-path'] },
  misreads('fields', '*', 'star'),
)
fault('a path selects the whole key', { trips: ['fields.path'] }, misreads('fields', /\.[^,]*/g, ''))
fault(
  'a star includes all other named keys',
  { trips: ['fields.wildcard-path'] },
  misreads('fields', /^\*,.*$/g, '*'),
)
fault(
  'a path below a string or number selects nothing',
  { trips: ['fields.path-end'] },
  misreads('fields', /^(text|number)\..*$/g, 'nope'),
)
fault(
  'fields is ignored in views',
  { trips: ['fields.view', 'fields.excerpt'] },
  dropQuery('viewRecord', 'fields'),
)
fault(
  'fields is ignored in writes',
  { trips: ['fields.writes'] },
  dropQuery(['createRecord', 'updateRecord'], 'fields'),
)
fault(
  'fields is applied to errors',
  { trips: ['fields.errors'] },
  tamperError('viewRecord', (body, request) => (request.url.includes('fields=') ? {} : body)),
)
fault(
  ':excerpt is ignored',
  { trips: ['fields.excerpt', 'fields.excerpt-ellipsis'] },
  misreads('fields', /:excerpt\([^)]*\)/g, ''),
)
fault(
  ':excerpt keeps tags',
  { trips: ['fields.excerpt'] },
  misreads('fields', /editor:excerpt\([^)]*\)/g, 'editor'),
)
fault(
  ':excerpt never adds an ellipsis',
  { trips: ['fields.excerpt-ellipsis'] },
  misreads('fields', /, ?true\)/g, ')'),
)
fault(
  ':excerpt turns numbers into strings',
  { trips: ['fields.excerpt-other'] },
  tamper('viewRecord', (body) => ('number' in body ? { ...body, number: String(body.number) } : body)),
)
const ignoresModifier = (query: URLSearchParams) =>
  query.set('fields', (query.get('fields') ?? '').replace(/:.*/, ''))
fault('an unknown modifier is ignored', { trips: ['fields.malformed'] }, overlooks(ignoresModifier, READERS))
for (const operation of ['viewRecord', 'listAuthMethods', 'authRefresh'] as const)
  fault(
    `an unknown modifier is ignored by ${operation}`,
    { trips: ['fields.malformed'] },
    overlooks(ignoresModifier, operation),
  )

fault(
  'only the first page is expanded',
  { trips: ['list.expand-relation'] },
  tamper('listRecords', (body) =>
    Number(body.page) > 1 ? { ...body, items: listItems(body).map(({ expand: _, ...item }) => item) } : body,
  ),
)
fault(
  'only relations to the own table are expanded',
  { trips: ['list.expand-relation'] },
  rewriteQuery('listRecords', (query, { table }) => {
    if (table === 'conf_everything') query.delete('expand')
  }),
)
fault(
  'a list with an order is not expanded',
  { trips: ['list.expand-relation'] },
  rewriteQuery('listRecords', (query) => {
    if (query.has('sort')) query.delete('expand')
  }),
)
fault(
  'expanded records name the table of the item',
  { trips: ['list.expand-relation'] },
  tamperExpand((expand, { collectionId, collectionName }) =>
    mapValues(expand, (value) => (isJsonObject(value) ? { ...value, collectionId, collectionName } : value)),
  ),
)
fault(
  'expanded records have timestamps in another form',
  { trips: ['list.expand-relation'] },
  tamperExpand((expand) =>
    mapValues(expand, (value) =>
      isJsonObject(value) ? { ...value, created: String(value.created).replace(' ', 'T') } : value,
    ),
  ),
)
fault(
  'items after the thirtieth are not expanded',
  { trips: ['list.expand-relation'] },
  reorder((items) => items.map(({ expand, ...item }, at) => (at < 30 ? { ...item, expand } : item))),
)
