/** Creates: the status, body and headers of their responses. */

import { recordsWhere } from '../faults/combinators/auth.ts'
import { resultsOf } from '../faults/combinators/batch.ts'
import {
  all,
  another,
  isJsonObject,
  type JsonValue,
  on,
  parsedBody,
  rewriteBody,
  wordless,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { responses } from './combinators/responses.ts'
import { created, traffic, updated } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('creates')

const create = { because: 'records.statuses', near: created } as const
const body = { because: 'records.bodies', near: created } as const

variation(
  'a create returns 201',
  create,
  responses('createRecord', 201, (record) => record),
)
variation(
  'titles are unique',
  {
    because: 'fields.types',
    near: [
      'list.empty-shape',
      'list.filter-narrows',
      'list.full-pages',
      'list.items',
      'list.page',
      'list.page-beyond-end',
      'list.pagination-covers',
      'list.sort-keeps-set',
      'list.total-items',
      'record.id-unique',
      'delete.only-one',
      'table.by-id',
      'table.missing-refused',
      'batch.succeeds-together',
      'batch.all-or-nothing',
      'batch.order',
    ],
    alone: 'the table "plain" is another one',
    target: (target) => ({
      ...target,
      tables: {
        ...target.tables,
        plain: { role: 'plain', name: 'conf_unique', fields: { title: 'code' } },
      },
    }),
  },
  on('createRecord', async (request, next, { table }) => {
    const response = await next(request)
    return table === 'conf_unique' && response.status === 400 ? fieldRejection(409) : response
  }),
)
/** Rejects a create of a record whose text another one of its table has, alone or in a batch. @param fields by table */
const withOwnTexts = (fields: Readonly<Record<string, string>>) => (tools: FaultTools) => {
  const isTaken = async (request: Request, table: string, body: JsonValue = {}) => {
    const field = fields[table]
    const value = field === undefined ? undefined : body[field]
    if (typeof value !== 'string' || value === '') return false
    const found = await recordsWhere(tools, request, table, `${field} = ${JSON.stringify(value)}`)
    return found.some((record) => record[field ?? ''] === value)
  }
  return all(
    on('createRecord', async (request, next, { table = '' }) =>
      (await isTaken(request, table.replace(/_\d{4}$/, ''), await parsedBody(request)))
        ? fieldRejection(409)
        : next(request),
    ),
    on('batch', async (request, next) => {
      for (const { method, url, body } of resultsOf(await request.clone().text()).filter(isJsonObject)) {
        const table = /collections\/(\w+?)(?:_\d{4})?\/records$/.exec(String(url))?.[1] ?? ''
        if (method === 'POST' && isJsonObject(body) && (await isTaken(request, table, body)))
          return fieldRejection(409)
      }
      return next(request)
    }),
  )(tools)
}
const texts = { conf_plain: 'title', conf_related: 'name', conf_everything: 'text', conf_cascading: 'label' }
for (const [table, near] of [
  ['conf_plain', ['list.items', 'list.page', 'record.id-unique']],
  [
    'conf_everything',
    [
      'record.table-fields',
      'record.created',
      'field-types.all',
      'field-types.keep-values',
      'update.changes-only-sent',
      'list.items-as-viewed',
      'list.sort-orders',
      'list.expand-relation',
      'view.record',
    ],
  ],
  ['conf_related', ['list.sort-orders', 'list.expand-relation', 'list.any-caller']],
] as const)
  variation(
    `no ${texts[table]} of ${table} is taken twice`,
    { because: 'fields.types', near },
    withOwnTexts({ [table]: texts[table] }),
  )
variation(
  'no text of any table is taken twice',
  {
    because: 'fields.types',
    near: ['list.items', 'list.sort-orders', 'list.expand-relation', 'list.any-caller'],
  },
  withOwnTexts(texts),
)
variation(
  'no text of two tables is taken twice, and there are no others',
  {
    because: 'fields.types',
    near: ['list.items', 'list.page', 'list.expand-relation', 'list.expand-keeps-record', 'list.any-caller'],
    alone: 'tables are missing',
    target: (target) => {
      const { related: _, everything: __, ...tables } = target.tables
      const [name, parent] = ['label', 'parent']
      return {
        ...target,
        tables: {
          ...tables,
          parent: { role: 'parent', name: 'conf_plain', fields: { name: 'title' } },
          child: { role: 'child', name: 'conf_cascading', fields: { name, parent } },
        },
        absentTables: ['related', 'everything'],
      }
    },
  },
  withOwnTexts(texts),
)
variation(
  'a create returns 202 and the record',
  create,
  responses('createRecord', 202, (record) => record),
)
variation(
  'a create returns 203',
  create,
  responses('createRecord', 203, (record) => record),
)
variation('a create returns 204', create, wordless('createRecord', 204))
variation('a create returns 205', create, wordless('createRecord', 205))
variation('a create returns 201 and no body', create, wordless('createRecord', 201))
variation(
  'a create returns an empty object',
  body,
  responses('createRecord', 200, () => ({})),
)
variation(
  'a create returns null',
  body,
  responses('createRecord', 200, () => null),
)
variation(
  'a create returns true',
  body,
  responses('createRecord', 201, () => true),
)
variation(
  'a create returns a message',
  body,
  responses('createRecord', 201, () => ({ message: 'Created.' })),
)
variation(
  'a create returns only the id',
  body,
  responses('createRecord', 200, ({ id }) => ({ id })),
)
variation(
  'a create returns the id as a string',
  body,
  responses('createRecord', 201, ({ id }) => id),
)
variation(
  'a create returns the id under another name',
  body,
  responses('createRecord', 201, ({ id }) => ({ acknowledged: true, insertedId: id })),
)
variation(
  'a create returns 202 and a receipt',
  { ...create, near: [...created, ...traffic, 'list.items-as-viewed'] },
  responses('createRecord', 202, ({ id }) => ({ aggregate: id, status: 'accepted' })),
)
variation(
  'a create returns a receipt with an id of its own',
  { ...create, near: [...created, ...traffic, 'list.items-as-viewed', 'record.sequences'] },
  responses('createRecord', 202, ({ id }) => ({ id: `job-${String(id).slice(0, 8)}`, status: 'accepted' })),
)
variation(
  'a create returns the id in result',
  body,
  responses('createRecord', 200, ({ id }) => ({ result: { id }, meta: { took: 3 } })),
)
variation(
  'a create returns the id as name',
  body,
  responses('createRecord', 200, ({ id }) => ({ name: id })),
)
variation(
  'a create is wrapped in record',
  body,
  responses('createRecord', 200, (record) => ({ ok: true, record })),
)
variation(
  'a create is wrapped in data',
  body,
  responses('createRecord', 201, (record) => ({ data: record, meta: { version: 1 } })),
)
variation(
  'a create returns JSON:API',
  body,
  responses('createRecord', 201, ({ id, collectionName, ...attributes }) => ({
    data: { id, type: collectionName, attributes },
    links: { self: `/${id}` },
  })),
)
variation(
  'a create returns a list of one',
  body,
  responses('createRecord', 201, (record) => [record]),
)
variation(
  'a create returns the ids of all',
  body,
  responses('createRecord', 201, ({ id }) => ({ ids: [id], count: 1 })),
)
variation(
  'a create returns only the common fields',
  body,
  responses('createRecord', 201, ({ id, collectionId, collectionName, created, updated }) => ({
    id,
    collectionId,
    collectionName,
    created,
    updated,
  })),
)

const location = (record: JsonValue, { pathname }: URL) => ({ location: `${pathname}/${String(record.id)}` })
variation(
  'a create returns the record and its Location',
  body,
  responses('createRecord', 201, () => ({}), location),
)
variation(
  'a create returns 303 and no body',
  create,
  responses('createRecord', 303, () => undefined, location),
)
variation(
  'a create and an update return 303, the record and its path',
  { because: 'records.statuses', near: [...created, ...updated] },
  responses(
    ['createRecord', 'updateRecord'],
    303,
    (record) => record,
    (record, url) => ({ location: url.pathname.replace(/(\/records)(\/.*)?$/, `$1/${record.id}`) }),
  ),
)
variation(
  'a create returns only a Location, as an absolute URL',
  body,
  responses(
    'createRecord',
    201,
    () => undefined,
    (record, url) => ({
      location: new URL(location(record, url).location, url).href,
    }),
  ),
)
variation(
  'a create returns a Location relative to the table',
  body,
  responses(
    'createRecord',
    201,
    () => ({ ok: true }),
    ({ id }) => ({ location: `./records/${String(id)}?new` }),
  ),
)
variation(
  'a create returns the table with the id in its query as a Location',
  body,
  responses(
    'createRecord',
    201,
    () => undefined,
    ({ id, collectionName }) => ({
      location: `/${String(collectionName)}?id=eq.${encodeURIComponent(String(id))}`,
    }),
  ),
)
variation(
  'a create returns the list of the table as a Location',
  body,
  responses(
    'createRecord',
    201,
    () => ({ ok: true }),
    (_record, { pathname }) => ({ location: pathname }),
  ),
)
variation(
  'a create returns a Content-Location',
  body,
  responses(
    'createRecord',
    201,
    () => undefined,
    (record, url) => ({
      'content-location': location(record, url).location,
    }),
  ),
)

variation(
  'a create returns the id and the values that the server set',
  { ...body, near: [...created, ...traffic] },
  responses('createRecord', 200, ({ id, created: at, updated }) => ({ id, created: at, updated })),
)
variation(
  'a create returns 204 and the URL of the record',
  { ...create, near: [...created, ...traffic] },
  responses(
    'createRecord',
    204,
    () => undefined,
    ({ id }, { href }) => ({ location: `${href}/${String(id)}` }),
  ),
)

const chosen = {
  because: 'records.bodies',
  near: ['create.only-one', 'create.persists', 'view.record'],
} as const
variation(
  'a create with an id that is taken returns the record that has it',
  chosen,
  on('createRecord', async (request, next, _match, tools) => {
    const { id } = (await parsedBody(request)) ?? {}
    if (typeof id !== 'string' || id === '') return next(request)
    const { pathname } = new URL(request.url)
    const view = await tools.asSuperuser(another(request, 'GET', `${pathname}/${encodeURIComponent(id)}`))
    return view.ok ? view : next(request)
  }),
)
variation(
  'an id that a client gives is stored in lower case',
  chosen,
  rewriteBody('createRecord', (sent) =>
    typeof sent.id === 'string' ? { ...sent, id: sent.id.toLowerCase() } : sent,
  ),
)
variation('of concurrent creates, one is accepted', chosen, (): Middleware => {
  let isBusy = false
  return async (request, next) => {
    if (request.method !== 'POST' || !request.url.endsWith('/conf_plain/records')) return next(request)
    if (isBusy) return fieldRejection(409)
    isBusy = true
    try {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return await next(request)
    } finally {
      isBusy = false
    }
  }
})
