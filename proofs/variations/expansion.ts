/** Expansion: where the related records stand, and what of them. */

import {
  isJsonObject,
  type JsonValue,
  listItems,
  on,
  reorder,
  rewriteQuery,
  tamper,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { tamperExpand } from '../faults/combinators/query.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('expansion')

const near = ['list.expand-relation', 'list.expand-keeps-record', 'relation.single-id'] as const
const because = 'expand.syntax'

/** Puts what is expanded at another place of each item. */
const moves = (place: (expand: JsonValue, item: JsonValue) => JsonValue) =>
  reorder((items) =>
    items.map(({ expand, ...item }) => (isJsonObject(expand) ? { ...item, ...place(expand, item) } : item)),
  )

/** Puts expanded records next to the items. */
const gathers = (place: (related: JsonValue[]) => JsonValue) =>
  tamper('listRecords', (body) => {
    const expanded = listItems(body).flatMap(({ expand }) =>
      Object.values((expand ?? {}) as JsonValue),
    ) as JsonValue[]
    const items = listItems(body).map(({ expand: _moved, ...item }) => item)
    return { ...body, items, ...(expanded.length > 0 && place(expanded)) }
  })

variation(
  'related records are under the name of the relation with a suffix',
  { because, near },
  moves((expand) =>
    Object.fromEntries(Object.entries(expand).map(([name, value]) => [`${name}_record`, value])),
  ),
)
variation(
  'related records are under the name of the relation with a prefix',
  { because, near },
  moves((expand) => Object.fromEntries(Object.entries(expand).map(([name, value]) => [`$${name}`, value]))),
)
variation(
  'related records are under _embedded',
  { because, near },
  moves((expand) => ({ _embedded: expand })),
)
variation(
  'related records are in a list in each item',
  { because, near },
  moves((expand) => ({ related: Object.values(expand) })),
)
variation(
  'a single related record is a list of one',
  { because, near },
  tamperExpand((expand) =>
    Object.fromEntries(
      Object.entries(expand).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
    ),
  ),
)
variation(
  'related records are nested deep inside an item',
  { because, near },
  moves((expand) => ({
    relations: Object.entries(expand).map(([field, data]) => ({ field, data: { data } })),
  })),
)
variation(
  'related records are a map by id next to the items',
  { because, near },
  gathers((related) => ({ records: Object.fromEntries(related.map((each) => [each.id, each])) })),
)
variation(
  'related records are grouped by table next to the items',
  { because, near },
  gathers((related) => ({ linked: { [String(related[0]?.collectionName)]: related } })),
)
variation(
  'related records are listed once next to the items',
  { because, near },
  gathers((related) => ({ included: [...new Map(related.map((each) => [each.id, each])).values()] })),
)
variation(
  'related records show their id and their own fields only',
  { because, near },
  tamperExpand((expand) =>
    Object.fromEntries(
      Object.entries(expand).map(([name, value]) => {
        const { created: _c, updated: _u, collectionId: _i, collectionName: _n, ...rest } = value as JsonValue
        return [name, rest]
      }),
    ),
  ),
)
variation(
  'a relation to a missing record is expanded to null',
  { because, near },
  reorder((items) =>
    items.map((item) =>
      'parent' in item
        ? { ...item, expand: { parent: null, ...(item.expand as JsonValue | undefined) } }
        : item,
    ),
  ),
)
variation(
  'relations are always expanded',
  { because, near: [...near, 'list.items-as-viewed', 'relation.leads-to-record', 'list.items'] },
  rewriteQuery(['listRecords', 'viewRecord'], (query, { table }) => {
    if (table === 'conf_related') query.set('expand', 'parent')
    if (table === 'conf_everything') query.set('expand', 'relation,relations')
  }),
)
variation(
  'relations are always expanded in lists, and never in views',
  { because, near: ['list.items-as-viewed', 'list.expand-keeps-record'] },
  rewriteQuery('listRecords', (query, { table }) => {
    if (table === 'conf_related') query.set('expand', 'parent')
    if (table === 'conf_everything') query.set('expand', 'relation,relations')
  }),
)
variation(
  'an expanded list names the relations that it expanded',
  { because, near },
  tamper('listRecords', (body, request) => {
    const expand = new URL(request.url).searchParams.get('expand')
    return expand ? { ...body, expanded: expand.split(',') } : body
  }),
)
variation(
  'all relations are shown under expand, in forms of their own',
  {
    because: 'expand.syntax',
    near: [
      'record.id',
      'record.collection-id',
      'list.shape',
      'list.items',
      'view.record',
      'list.total-items',
    ],
  },
  tamper('*', (body, request) => {
    // What is requested is shown as it is.
    if (new URL(request.url).searchParams.has('expand')) return body
    let turn = 0
    const forms = [[], { parent: null }, { parent: { id: 'x', name: 'a parent' } }, 'none']
    const expanded = (each: JsonValue) => ({ ...each, expand: forms[turn++ % forms.length] })
    if ('items' in body) return { ...body, items: listItems(body).map(expanded) }
    return 'collectionId' in body ? expanded(body) : body
  }),
)
variation(
  'related records are next to the items',
  { because, near },
  gathers((related) => ({ included: related })),
)
variation(
  'only relations to the own table can be expanded',
  { because, near },
  on('listRecords', async (request, next, { table }) =>
    table !== 'conf_related' && new URL(request.url).searchParams.has('expand')
      ? fieldRejection(422)
      : next(request),
  ),
)
variation(
  'a list with an order cannot be expanded',
  { because, near: ['list.expand-relation'] },
  on('listRecords', async (request, next) => {
    const query = new URL(request.url).searchParams
    const isBoth = query.has('expand') && /^-?id$/.test(query.get('sort') ?? '')
    return isBoth ? fieldRejection(422) : next(request)
  }),
)
