/** Successes: statuses that the document does not show (sections 4.1, 4.2 and 7), and bodies of writes. */

import {
  all,
  itemsOf,
  type Json,
  json,
  on,
  tamper,
  tamperStatus,
  wordless,
} from '../faults/combinators/combinators.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { traffic } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('statuses')

const created = [
  'create.persists',
  'create.json',
  'view.record',
  'list.total-follows-writes',
  'record.id-unique',
] as const
const near: Partial<Record<OperationId, readonly string[]>> = {
  listRecords: ['list.shape', 'list.paginated', 'list.filter-narrows', 'wire.no-empty-success', 'list.items'],
  viewRecord: ['view.record', 'record.id', 'wire.json-bodies', 'table.by-name'],
  createRecord: created,
  updateRecord: ['update.applies', 'update.only-one', 'record.updated-moves', 'record.id-stable'],
  deleteRecord: ['delete.removes', 'delete.unlisted', 'delete.only-one', 'list.total-follows-writes'],
  batch: ['batch.succeeds-together', 'batch.order'],
  authWithPassword: ['auth.password-sign-in', 'auth.response-token', 'auth.response-record'],
}

for (const [operation, from, statuses] of [
  ['listRecords', 200, [203, 206, 226]],
  ['viewRecord', 200, [203, 206]],
  ['createRecord', 200, [201, 202, 203]],
  ['updateRecord', 200, [201, 202]],
  ['deleteRecord', 204, [205]],
  ['batch', 200, [201, 202, 207]],
  ['authWithPassword', 200, [201, 202]],
] as const)
  for (const status of statuses)
    variation(
      `${operation} succeeds with ${status}`,
      { because: '7', near: near[operation] ?? [] },
      tamperStatus(operation, from, status),
    )

/** What a delete that succeeds is answered with. */
const deletes = (status: number, body: (id: string) => unknown) =>
  on('deleteRecord', async (request, next, { id = '' }) => {
    const response = await next(request)
    return response.ok ? json(status, body(id)) : response
  })
const whereDeleted = { because: 'records.bodies', near: [...(near.deleteRecord ?? []), ...traffic] }
variation(
  'a delete is answered with 200 and an empty object',
  whereDeleted,
  deletes(200, () => ({})),
)
variation(
  'a delete is answered with 202 and null',
  whereDeleted,
  deletes(202, () => null),
)
variation(
  'a delete is answered with the id of the record',
  whereDeleted,
  deletes(200, (id) => ({ id, deleted: true })),
)
variation(
  'a delete is answered with the number of records',
  whereDeleted,
  deletes(200, () => 1),
)
variation(
  'a delete is answered with the record that was there',
  whereDeleted,
  on('deleteRecord', async (request, next) => {
    const before = await next(new Request(request.url, { headers: request.headers }))
    const response = await next(request)
    return response.ok && before.ok ? json(200, await before.json()) : response
  }),
)

const whereUpdated = { because: 'records.bodies', near: [...(near.updateRecord ?? []), ...traffic] }
variation('an update is answered with 205', whereUpdated, wordless('updateRecord', 205))
variation(
  'an update is answered with an empty object',
  whereUpdated,
  tamper('updateRecord', () => ({})),
)
variation(
  'an update is answered with what it sent',
  whereUpdated,
  on('updateRecord', async (request, next) => {
    const sent: unknown = await request.clone().json()
    const response = await next(request)
    return response.ok ? json(200, sent) : response
  }),
)
variation(
  'an update is answered with the number of records',
  whereUpdated,
  tamper('updateRecord', () => 1),
)
variation(
  'an update is answered with the record under data',
  whereUpdated,
  tamper('updateRecord', (record) => ({ data: record })),
)

const whereCreated = { because: 'records.statuses', near: [...created, ...traffic] }
variation(
  'a create is answered with the id and what the server made of it',
  whereCreated,
  tamper('createRecord', ({ id, created: at, updated }) => ({ id, created: at, updated })),
)
variation(
  'a create is answered with the record under data',
  whereCreated,
  tamper('createRecord', (record) => ({ data: record, error: null })),
)
variation(
  'a create is answered with a list of one record',
  whereCreated,
  tamper('createRecord', (record) => [record]),
)
variation(
  'a create is answered with the place of the record',
  whereCreated,
  on('createRecord', async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const { id } = (await response.json()) as Json
    const location = `${new URL(request.url).pathname}/${id}`
    return new Response(null, { status: 201, headers: { location } })
  }),
)
variation(
  'a create is answered with 204 and the whole address of the record',
  whereCreated,
  on('createRecord', async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const { id } = (await response.json()) as Json
    return new Response(null, { status: 204, headers: { location: `${request.url}/${id}` } })
  }),
)
variation(
  'whatever is written is answered with 200 and no body',
  {
    because: 'records.bodies',
    near: [...traffic, 'update.applies', 'delete.removes', 'batch.succeeds-together'],
  },
  all(
    wordless(['updateRecord', 'deleteRecord', 'batch'], 200),
    on('createRecord', async (request, next) => {
      const response = await next(request)
      if (!response.ok) return response
      const { id } = (await response.json()) as Json
      const location = `${new URL(request.url).pathname}/${id}`
      return new Response(null, { status: 201, headers: { location } })
    }),
  ),
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
  tamper('*', (body) => {
    let turn = 0
    const forms = [[], { parent: null }, { parent: { id: 'x', name: 'a parent' } }, 'none']
    const expanded = (each: Json) => ({ ...each, expand: forms[turn++ % forms.length] })
    if ('items' in body) return { ...body, items: itemsOf(body).map(expanded) }
    return 'collectionId' in body ? expanded(body) : body
  }),
)
