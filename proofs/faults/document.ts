/** Defects that break what the document itself says of records, tables and the five operations. */

import { claimsIn, hasAccountToken, hasMemberToken, tokenIn } from './combinators/auth.ts'
import { resultsOf } from './combinators/batch.ts'
import {
  all,
  another,
  forgive,
  isIdentifier,
  type JsonValue,
  listItems,
  on,
  parsedBody,
  repeat,
  rewriteBody,
  rewriteQuery,
  swallow,
  tamper,
  tamperRecord,
} from './combinators/combinators.ts'
import { ALL_FIVE, fieldRejection, first, forgets, misreads, rejects, shows } from './combinators/field.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

const without = (body: JsonValue, value: unknown) =>
  Object.fromEntries(Object.entries(body).filter(([, each]) => each !== value))

fault(
  'ids are numbers',
  { trips: ['record.id', 'view.record'] },
  shows('id', () => 12345, 'viewRecord'),
)
fault(
  'all creates return the same id',
  { trips: ['record.id-unique'] },
  shows('id', () => 'same00000000000', 'createRecord'),
)
fault(
  'an update changes the id',
  { trips: ['record.id-stable'] },
  tamperRecord('viewRecord', (record) =>
    record.updated === record.created ? record : { ...record, id: 'changed00000000' },
  ),
)
fault(
  'collectionId is the id of the record',
  { trips: ['record.collection-id'] },
  shows('collectionId', (_value, record) => record.id),
)
fault(
  'collectionId is the same for all tables',
  { trips: ['record.collection-id', 'record.collection-id-distinct'] },
  tamperRecord('*', (record) => ({ ...record, collectionId: 'main' })),
)
fault(
  'collectionName is in capitals',
  { trips: ['record.collection-name', 'table.any-case', 'batch.table-id'] },
  tamperRecord('*', (record) => ({ ...record, collectionName: String(record.collectionName).toUpperCase() })),
)
fault(
  'created is in ISO form',
  { trips: ['record.created'] },
  shows('created', (value) => String(value).replace(' ', 'T')),
)
const twoHoursLater = (value: unknown) =>
  new Date(Date.parse(String(value).replace(' ', 'T')) + 7_200_000).toISOString().replace('T', ' ')
fault('created is in local time', { trips: ['record.created-utc'] }, shows('created', twoHoursLater))
fault('updated is in local time', { trips: ['record.updated-utc'] }, shows('updated', twoHoursLater))
fault(
  'created moves with updates',
  { trips: ['record.created-fixed'] },
  shows('created', (_value, record) => record.updated, 'viewRecord'),
)
fault(
  'updated is earlier than created in a table with owners',
  { trips: ['record.updated-after-created'] },
  shows('updated', (value, { collectionName }) =>
    collectionName === 'conf_owned' ? '2001-02-03 04:05:06.007Z' : value,
  ),
)
fault('views by the identifier of a table are stale', { trips: ['table.by-id'] }, (tools) => {
  const old = new Map<string, unknown>()
  const keep = on('updateRecord', async (request, next, { id = '' }) => {
    const view = await tools.asSuperuser(another(request, 'GET', new URL(request.url).pathname))
    if (view.ok && !old.has(id)) old.set(id, await view.json())
    return next(request)
  })
  const tell = tamper('viewRecord', (body, _request, { table = '', id = '' }) =>
    isIdentifier(table) ? (old.get(id) ?? body) : body,
  )
  return all(keep, tell)(tools)
})
fault(
  'lists by the identifier of a table have only a first page',
  { trips: ['table.by-id'] },
  rewriteQuery('listRecords', (query, { table = '' }) => {
    if (isIdentifier(table)) query.delete('page')
  }),
)
fault(
  'lists by the identifier of a table with an order ignore the filter',
  { trips: ['table.by-id'] },
  rewriteQuery('listRecords', (query, { table = '' }) => {
    if (isIdentifier(table) && query.has('sort')) query.delete('filter')
  }),
)
type Make = (tools: FaultTools) => Middleware
/** Shows `updated` as `created` of the records that `watch` adds. */
const showsMoved =
  (watch: (moved: Set<unknown>) => Make): Make =>
  (tools) => {
    const moved = new Set<unknown>()
    const tell = shows('created', (value, { id, updated }) => (moved.has(id) ? updated : value), 'viewRecord')
    return all(tell, watch(moved))(tools)
  }
/** Once an update of this kind has been sent. */
const movesAfter = (
  isMoving: (sent: { body: JsonValue; table: string; request: Request }) => boolean,
): Make =>
  showsMoved((moved) =>
    on('updateRecord', async (request, next, { table = '' }) => {
      const body = (await parsedBody(request.clone())) ?? {}
      const response = await next(request)
      if (!response.ok || !isMoving({ body, table, request })) return response
      moved.add(((await response.clone().json()) as JsonValue).id)
      return response
    }),
  )
fault(
  'created moves with an update that sends nothing',
  { trips: ['record.created-fixed'] },
  movesAfter(({ body }) => Object.keys(body).length === 0),
)
fault(
  'created moves with updates by the identifier of a table',
  { trips: ['record.created-fixed'] },
  movesAfter(({ table }) => isIdentifier(table)),
)
fault(
  'created moves with updates of accounts',
  { trips: ['record.created-fixed'] },
  movesAfter(({ table }) => table === 'conf_members'),
)
fault(
  'created moves with updates by a superuser',
  { trips: ['record.created-fixed'] },
  movesAfter(({ request }) => tokenIn(request) !== '' && !hasAccountToken(request)),
)
fault(
  'created moves with updates by a signed-in user',
  { trips: ['record.created-fixed'] },
  movesAfter(({ request, table }) => hasAccountToken(request) && table === 'conf_plain'),
)
fault(
  'created moves with updates in a batch',
  { trips: ['record.created-fixed'] },
  showsMoved((moved) =>
    on('batch', async (request, next) => {
      for (const { method, url } of resultsOf(await request.clone().text()))
        if (method === 'PATCH') moved.add(String(url).split('/').at(-1))
      return next(request)
    }),
  ),
)
fault(
  'updated has no milliseconds',
  { trips: ['record.updated'] },
  shows('updated', (value) => String(value).replace(/\.\d+/, '')),
)
fault(
  'updated is not set by a create',
  { trips: ['record.updated-after-created'] },
  shows('updated', () => '2001-01-01 00:00:00.000Z', 'viewRecord'),
)
fault(
  'booleans are 0 and 1',
  { trips: ['record.table-fields', 'bool.casts'] },
  shows('bool', (value) => Number(value)),
)
fault(
  'geo points are not shown',
  { trips: ['field-types.all'] },
  tamperRecord('viewRecord', ({ geo: _unseen, ...record }) => record),
)
fault(
  'a relation field contains the related record',
  { trips: ['relation.single-id'] },
  shows('parent', (id) => ({ id })),
)
fault(
  'a relation field contains the table and the id',
  { trips: ['relation.single-id'] },
  shows('parent', (id) => `conf_related/${id}`),
)

fault(
  'tables are found by name only',
  { trips: ['table.by-id'] },
  on(ALL_FIVE, async (request, next, { table = '' }) =>
    table.endsWith('_0001') ? fieldRejection(404) : next(request),
  ),
)
fault(
  'tables are found by id only',
  { trips: ['table.by-name', 'view.record'] },
  on('viewRecord', async (request, next, { table = '' }) =>
    table.endsWith('_0001') ? next(request) : fieldRejection(404),
  ),
)
fault(
  'all tables share their records',
  { trips: ['table.separate'] },
  on('viewRecord', (request, next, { table = '' }) =>
    next(
      table === 'conf_related'
        ? another(request, 'GET', new URL(request.url).pathname.replace(table, 'conf_plain'))
        : request,
    ),
  ),
)
fault(
  'writes find a record under the name of another table',
  { trips: ['table.separate'] },
  on(['updateRecord', 'deleteRecord'], async (request, next, { table = '' }) => {
    const body = await parsedBody(request)
    const response = await next(request)
    const path = new URL(request.url).pathname.replace(table, 'conf_plain')
    return response.status === 404 ? next(another(request, request.method, path, body)) : response
  }),
)
fault(
  'a request for a missing id succeeds',
  {
    trips: ['table.missing-refused', 'view.missing-refused', 'delete.removes'],
  },
  forgive(ALL_FIVE, 404, 200, { id: 'found0000000000', items: [] }),
)

fault(
  'create stores nothing',
  { trips: ['create.listed', 'create.only-one'] },
  swallow('createRecord', 200, {
    id: 'stored000000000',
    collectionId: 'conf_plain_0001',
    collectionName: 'conf_plain',
  }),
)
fault(
  'create loses titles',
  { trips: ['create.persists'] },
  forgets('createRecord', (key) => key === 'title'),
)
fault(
  'create accepts simple titles only, and shortens them',
  { trips: ['create.persists'] },
  all(
    rejects('createRecord', ({ title }) => typeof title === 'string' && !/^[\w -]{12,}$/.test(title)),
    misreads('title', (title) => String(title).slice(0, -1), 'createRecord'),
  ),
)
fault(
  'create loses json values',
  { trips: ['field-types.keep-values', 'json.keeps'] },
  forgets('createRecord', (key) => key === 'json'),
)
fault(
  'the newest record is not listed',
  { trips: ['create.listed'] },
  tamper('listRecords', ({ items, ...rest }) => ({ ...rest, items: (items as JsonValue[]).slice(0, -1) })),
)
fault('a create creates two records', { trips: ['create.only-one', 'create.listed'] }, repeat('createRecord'))
for (const [what, when] of [
  ['with a relation', ({ parent }) => parent !== undefined],
  ['of more than 2,000 bytes', (body) => JSON.stringify(body).length > 2000],
] as [string, (body: JsonValue) => boolean][])
  fault(
    `a create ${what} creates two records`,
    { trips: ['create.only-one'] },
    on('createRecord', async (request, next) => {
      if (when((await parsedBody(request)) ?? {})) await (await next(request.clone())).text()
      return next(request)
    }),
  )
fault(
  'a create with the id of a record replaces the record',
  { trips: ['create.only-one'] },
  on('createRecord', async (request, next) => {
    const body = await parsedBody(request)
    const response = await next(request)
    const path = `${new URL(request.url).pathname}/${String(body?.id)}`
    return response.ok || body?.id === undefined ? response : next(another(request, 'PATCH', path, body))
  }),
)
fault(
  'update rejects JSON',
  { trips: ['create.json', 'update.applies'] },
  first('updateRecord', (request) =>
    (request.headers.get('content-type') ?? '').startsWith('application/json')
      ? fieldRejection(400)
      : undefined,
  ),
)
fault(
  'update changes nothing',
  {
    trips: [
      'update.applies',
      'create.json',
      'field-types.keep-values',
      'modifier.number',
      'field.null-is-zero',
    ],
  },
  rewriteBody('updateRecord', () => ({})),
)
fault(
  'an update ignores an empty string',
  { trips: ['update.applies'] },
  rewriteBody('updateRecord', (body) => without(body, '')),
)
fault(
  'an update ignores zero',
  { trips: ['update.applies'] },
  rewriteBody('updateRecord', (body) => without(body, 0)),
)
fault(
  'an update ignores an empty relation to the own table',
  { trips: ['update.applies'] },
  forgets('updateRecord', (key, value) => key === 'parent' && value === ''),
)
fault('an update that was sent before is ignored', { trips: ['update.applies'] }, (tools) => {
  const sent = new Set<string>()
  return rewriteBody('updateRecord', (body, { id }) => {
    const update = `${id} ${JSON.stringify(body)}`
    const isKnown = sent.has(update)
    sent.add(update)
    return isKnown ? {} : body
  })(tools)
})
fault(
  'an update ignores false',
  { trips: ['update.applies'] },
  rewriteBody('updateRecord', (body) => without(body, false)),
)
fault(
  'update replaces the whole record',
  { trips: ['update.changes-only-sent'] },
  rewriteBody('updateRecord', (body) => ({ bool: false, number: 0, ...body })),
)
fault(
  'an update resets a title that it does not send',
  { trips: ['update.changes-only-sent'] },
  rewriteBody('updateRecord', (body) => ({ title: '', ...body })),
)
/** Updates of accounts, by their owner or by a superuser, also write this. */
const alsoWrites = (of: 'owner' | 'superuser', extra: JsonValue) =>
  on('updateRecord', async (request, next, { table = '', id = '' }, { asSuperuser: healthy }) => {
    const body = await parsedBody(request.clone())
    const isOwner = claimsIn(tokenIn(request))?.id === id
    const isMeant = table === 'conf_members' && tokenIn(request) !== '' && isOwner === (of === 'owner')
    const path = new URL(request.url).pathname
    const response = await next(request)
    const lacks = Object.keys(extra).some((field) => !(field in (body ?? {})))
    if (isMeant && lacks && response.ok) await (await healthy(another(request, 'PATCH', path, extra))).text()
    return response
  })
fault(
  'an update of an account by its owner clears verified',
  { trips: ['update.changes-only-sent'] },
  alsoWrites('owner', { verified: false }),
)
fault(
  'an update of an account by a superuser clears the name',
  { trips: ['update.changes-only-sent'] },
  alsoWrites('superuser', { name: '' }),
)
fault(
  'an update by a signed-in user clears the rank',
  { trips: ['update.changes-only-sent'] },
  on('updateRecord', async (request, next, { table }) => {
    const body = await parsedBody(request.clone())
    if (table !== 'conf_related' || !hasMemberToken(request)) return next(request)
    return next(another(request, 'PATCH', new URL(request.url).pathname, { rank: 0, ...body }))
  }),
)
fault(
  'an update that sends no file drops the files',
  { trips: ['update.changes-only-sent', 'field-types.keep-values'] },
  rewriteBody('updateRecord', (body) => ({ file: '', files: [], ...body })),
)
/** Finds a record by the first characters of its id. */
const byPart = (operation: 'viewRecord' | 'updateRecord' | 'deleteRecord') => (tools: FaultTools) => {
  const known = new Set<string>()
  return on(['createRecord', operation], async (request, next, { operation: done, id = '' }) => {
    const body = await parsedBody(request)
    const response = await next(request)
    if (done === 'createRecord' && response.ok)
      known.add(String(((await response.clone().json()) as JsonValue).id))
    const whole = [...known].find((each) => each.startsWith(id))
    if (done === 'createRecord' || response.status !== 404 || whole === undefined) return response
    const path = new URL(request.url).pathname.replace(/[^/]+$/, whole)
    return next(another(request, request.method, path, body))
  })(tools)
}
fault(
  'a view finds a record by the first characters of its id',
  { trips: ['view.missing-refused'] },
  byPart('viewRecord'),
)
fault(
  'an update finds a record by the first characters of its id',
  { trips: ['update.missing-refused'] },
  byPart('updateRecord'),
)
fault(
  'a delete finds a record by the first characters of its id',
  { trips: ['delete.only-one'] },
  byPart('deleteRecord'),
)
fault(
  'update of a missing record creates one',
  { trips: ['update.missing-refused'] },
  on('updateRecord', async (request, next) => {
    const response = await next(request.clone())
    const { pathname } = new URL(request.url)
    return response.status === 404
      ? next(another(request, 'POST', pathname.replace(/\/[^/]+$/, ''), (await request.json()) as JsonValue))
      : response
  }),
)
fault(
  'a view changes the record',
  { trips: ['view.no-effect'] },
  on('viewRecord', async (request, next) => {
    const response = await next(request.clone())
    if (response.ok)
      await (await next(another(request, 'PATCH', new URL(request.url).pathname, { title: 'viewed' }))).text()
    return response
  }),
)
fault(
  'collectionName repeats the path',
  { trips: ['record.collection-name-by-id'] },
  tamperRecord(['listRecords', 'viewRecord'], (record, { table }) => ({ ...record, collectionName: table })),
)
fault(
  'collectionName repeats the path in a table with relations',
  { trips: ['record.collection-name-by-id'] },
  tamperRecord(['viewRecord'], (record, { table }) =>
    record.collectionName === 'conf_related' ? { ...record, collectionName: table } : record,
  ),
)
fault(
  'collectionName repeats the path in the response to an update',
  { trips: ['record.collection-name-by-id'] },
  tamperRecord(['updateRecord'], (record, { table }) => ({ ...record, collectionName: table })),
)
fault(
  'a write without permission is rejected, but carried out',
  { trips: ['write.rejected-changes-nothing'] },
  on(['createRecord', 'updateRecord', 'deleteRecord'], async (request, next, _match, tools) => {
    const response = await next(request.clone())
    if (response.status === 403) await (await tools.asSuperuser(request)).arrayBuffer()
    return response
  }),
)
fault(
  'a create that lacks a required value is rejected, but its record is there',
  { trips: ['write.rejected-changes-nothing'] },
  (tools) => {
    const left: JsonValue[] = []
    return all(
      on('createRecord', async (request, next, { table }) => {
        const body = (await parsedBody(request)) ?? {}
        const response = await next(request)
        if (table === 'conf_required' && response.status === 400)
          left.push({ id: `left${String(left.length).padStart(11, '0')}`, ...body })
        return response
      }),
      tamper('listRecords', (body, request, { table }) => {
        const filter = new URL(request.url).searchParams.get('filter') ?? ''
        const more = left.filter(({ text }) => filter === `text = "${text}"`)
        return table === 'conf_required' ? { ...body, items: [...listItems(body), ...more] } : body
      }),
    )(tools)
  },
)
fault(
  'a rejected write stores its valid fields',
  { trips: ['write.rejected-changes-nothing'] },
  on(['createRecord', 'updateRecord'], async (request, next) => {
    const response = await next(request.clone())
    if (response.status !== 400) return response
    const wrong = Object.keys(((await response.clone().json()) as { data?: JsonValue }).data ?? {})
    const body = Object.entries((await parsedBody(request)) ?? {}).filter(([key]) => !wrong.includes(key))
    const path = new URL(request.url).pathname
    await (await next(another(request, request.method, path, Object.fromEntries(body)))).arrayBuffer()
    return response
  }),
)
