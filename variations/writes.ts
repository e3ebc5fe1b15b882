/** Creates, updates and deletes: which status and body they come back with. */

import { all, forgive, type Json, json, on, wordless } from '../faults/combinators/combinators.ts'
import { answers } from './combinators/answers.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('writes')

/** Checks that start from what a create answered. */
const created = [
  'view.record',
  'record.created-fixed',
  'record.updated-moves',
  'table.by-id',
  'table.by-id-writes',
  'relation.single-id',
  'relation.leads-to-record',
  'create.persists',
  'create.json',
  'create.only-one',
  'table.one-at-a-time',
  'update.applies',
  'field-types.keep-values',
] as const

const create = { because: 'records.statuses', near: created } as const
const body = { because: 'records.bodies', near: created } as const

variation(
  'a create is answered with 201',
  create,
  answers('createRecord', 201, (record) => record),
)
variation(
  'a create is answered with 202 and the record',
  create,
  answers('createRecord', 202, (record) => record),
)
variation(
  'a create is answered with 203',
  create,
  answers('createRecord', 203, (record) => record),
)
variation('a create is answered with 204', create, wordless('createRecord', 204))
variation('a create is answered with 205', create, wordless('createRecord', 205))
variation('a create is answered with 201 and no body', create, wordless('createRecord', 201))
variation(
  'a create is answered with an empty object',
  body,
  answers('createRecord', 200, () => ({})),
)
variation(
  'a create is answered with null',
  body,
  answers('createRecord', 200, () => null),
)
variation(
  'a create is answered with true',
  body,
  answers('createRecord', 201, () => true),
)
variation(
  'a create is answered with a message',
  body,
  answers('createRecord', 201, () => ({ message: 'Created.' })),
)
variation(
  'a create is answered with the id alone',
  body,
  answers('createRecord', 200, ({ id }) => ({ id })),
)
variation(
  'a create is answered with the id as a string',
  body,
  answers('createRecord', 201, ({ id }) => id),
)
variation(
  'a create names the id by another word',
  body,
  answers('createRecord', 201, ({ id }) => ({ acknowledged: true, insertedId: id })),
)
variation(
  'a create calls the id name',
  body,
  answers('createRecord', 200, ({ id }) => ({ name: id })),
)
variation(
  'a create is wrapped in record',
  body,
  answers('createRecord', 200, (record) => ({ ok: true, record })),
)
variation(
  'a create is wrapped in data',
  body,
  answers('createRecord', 201, (record) => ({ data: record, meta: { version: 1 } })),
)
variation(
  'a create is answered as JSON:API does',
  body,
  answers('createRecord', 201, ({ id, collectionName, ...attributes }) => ({
    data: { id, type: collectionName, attributes },
    links: { self: `/${id}` },
  })),
)
variation(
  'a create is answered with a list of one',
  body,
  answers('createRecord', 201, (record) => [record]),
)
variation(
  'a create is answered with the ids of all',
  body,
  answers('createRecord', 201, ({ id }) => ({ ids: [id], count: 1 })),
)
variation(
  'a create is answered with the common fields alone',
  body,
  answers('createRecord', 201, ({ id, collectionId, collectionName, created, updated }) => ({
    id,
    collectionId,
    collectionName,
    created,
    updated,
  })),
)

const location = (record: Json, { pathname }: URL) => ({ location: `${pathname}/${String(record.id)}` })
variation(
  'a create tells in Location where the record is',
  body,
  answers('createRecord', 201, () => ({}), location),
)
variation(
  'a create tells in Location alone, with a whole address',
  body,
  answers(
    'createRecord',
    201,
    () => undefined,
    (record, url) => ({
      location: new URL(location(record, url).location, url).href,
    }),
  ),
)
variation(
  'a create tells in Location relative to the table',
  body,
  answers(
    'createRecord',
    201,
    () => ({ ok: true }),
    ({ id }) => ({ location: `./records/${String(id)}?new` }),
  ),
)
variation(
  'a create tells Content-Location',
  body,
  answers(
    'createRecord',
    201,
    () => undefined,
    (record, url) => ({
      'content-location': location(record, url).location,
    }),
  ),
)

/** Checks that update and look again. */
const updated = [
  'update.applies',
  'update.only-one',
  'record.id-stable',
  'record.created-fixed',
  'record.updated-moves',
  'table.by-id-writes',
  'create.json',
  'field-types.all',
  'update.changes-only-sent',
] as const
const update = { because: 'records.bodies', near: updated } as const

variation('an update is answered with 204', update, wordless('updateRecord', 204))
variation('an update is answered with 200 and no body', update, wordless('updateRecord', 200))
variation(
  'an update is answered with 201',
  update,
  answers('updateRecord', 201, (record) => record),
)
variation('an update is answered with 202 and no body', update, wordless('updateRecord', 202))
variation(
  'an update is answered with null',
  update,
  answers('updateRecord', 200, () => null),
)
variation(
  'an update is answered with true',
  update,
  answers('updateRecord', 200, () => true),
)
variation(
  'an update is answered with a count',
  update,
  answers('updateRecord', 200, () => ({ matched: 1, modified: 1 })),
)
variation(
  'an update is answered with the id',
  update,
  answers('updateRecord', 200, ({ id }) => ({ id })),
)
variation(
  'an update is wrapped in data',
  update,
  answers('updateRecord', 200, (record) => ({ data: record })),
)
variation(
  'an update is answered with a list of one',
  update,
  answers('updateRecord', 200, (record) => [record]),
)
variation('an update is answered with the record as it was', update, (tools) =>
  on('updateRecord', async (request, next) => {
    const view = await tools.asSuperuser(new Request(request.url))
    const before = await view.text()
    const response = await next(request)
    return response.ok && view.ok ? json(200, JSON.parse(before)) : response
  })(tools),
)

/** Checks that delete. */
const deleted = [
  'delete.removes',
  'delete.unlisted',
  'delete.only-one',
  'delete.final',
  'table.by-id-writes',
  'table.missing-refused',
  'field-types.keep-values',
] as const
const remove = { because: 'records.statuses', near: deleted } as const

variation('a delete is answered with 200 and no body', remove, wordless('deleteRecord', 200))
variation('a delete is answered with 202', remove, wordless('deleteRecord', 202))
variation(
  'a delete is answered with null',
  remove,
  answers('deleteRecord', 200, () => null),
)
variation(
  'a delete is answered with a count',
  remove,
  answers('deleteRecord', 200, () => ({ deleted: 1 })),
)
variation(
  'a delete is answered with a list',
  remove,
  answers('deleteRecord', 200, (_, { id }) => [id]),
)
variation(
  'a delete is answered with the id',
  remove,
  answers('deleteRecord', 200, (_, { id }) => ({ id })),
)
variation('a delete is answered with the record', remove, (tools) =>
  on('deleteRecord', async (request, next) => {
    const view = await tools.asSuperuser(new Request(request.url))
    const before = await view.text()
    const response = await next(request)
    return response.ok && view.ok ? json(200, JSON.parse(before)) : response
  })(tools),
)
variation(
  'a second delete is answered with 204',
  { because: 'records.statuses', near: ['delete.final', 'delete.removes', 'delete.only-one'] },
  forgive('deleteRecord', 404, 204),
)
variation(
  'nothing but statuses comes back from writes',
  { because: 'records.bodies', near: [...new Set([...created, ...updated, ...deleted])] },
  all(wordless('createRecord', 201), wordless('updateRecord', 204), wordless('deleteRecord', 204)),
)
