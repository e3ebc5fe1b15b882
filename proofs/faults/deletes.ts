/** Defects of deletes, and of writes that reach the neighbor. */

import { matchOperation } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { recordsWhere } from './combinators/auth.ts'
import {
  all,
  another,
  forgive,
  isIdentifier,
  type JsonValue,
  json,
  on,
  parsedBody,
  swallow,
  tamper,
  withHeaders,
} from './combinators/combinators.ts'
import { fieldRejection, WRITES } from './combinators/field.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

fault(
  'delete deletes nothing',
  {
    trips: ['delete.removes', 'field-types.keep-values', 'delete.cascades', 'record.unknown-id'],
  },
  swallow('deleteRecord', 204),
)
for (const [table, relation] of [
  ['conf_related', 'parent'],
  ['conf_everything', 'relation'],
] as const)
  fault(
    `a record that ${relation} of ${table} refers to stays after its delete`,
    { trips: ['delete.removes'] },
    on('deleteRecord', async (request, next, { id = '' }, tools) => {
      const referring = await recordsWhere(tools, request, table, `${relation} = "${id}"`)
      return referring.length > 0 ? json(204) : next(request)
    }),
  )
fault('the id of a deleted record stays deleted', { trips: ['create.persists'] }, (tools) => {
  const gone = new Set<unknown>()
  return on(['createRecord', 'deleteRecord'], async (request, next, { operation, id }) => {
    const sent = await parsedBody(request)
    const response = await next(request.clone())
    if (response.ok && operation === 'deleteRecord') gone.add(id)
    if (response.ok && operation === 'createRecord' && gone.has(sent?.id))
      await tools.asSuperuser(another(request, 'DELETE', `${new URL(request.url).pathname}/${sent?.id}`))
    return response
  })(tools)
})
fault('a second delete succeeds', { trips: ['record.unknown-id'] }, forgive('deleteRecord', 404, 204))
fault(
  'an update of a deleted record succeeds',
  { trips: ['delete.final', 'update.missing-refused'] },
  forgive('updateRecord', 404, 200, { id: 'late00000000000' }),
)
fault('a second delete restores the record', { trips: ['delete.final'] }, (tools) => {
  const gone = new Map<string, JsonValue>()
  return on('deleteRecord', async (request, next) => {
    const { pathname } = new URL(request.url)
    const viewed = await next(another(request, 'GET', pathname))
    if (viewed.ok) gone.set(pathname, (await viewed.json()) as JsonValue)
    const response = await next(request)
    const lost = gone.get(pathname)
    if (response.status === 404 && lost !== undefined)
      await (await next(another(request, 'POST', pathname.replace(/\/[^/]+$/, ''), lost))).arrayBuffer()
    return response
  })(tools)
})
fault(
  'records in lists lack a field',
  { trips: ['field-types.keep-values'] },
  tamper('listRecords', ({ items, ...rest }) => ({
    ...rest,
    items: (items as JsonValue[]).map(({ number: _, ...record }) => record),
  })),
)
/** Lists of some queries also show the records that were deleted. */
const showsDeleted =
  (isStale: (query: URLSearchParams, table: string) => boolean) =>
  ({ prefix }: FaultTools): Middleware => {
    const deleted: JsonValue[] = []
    return async (request, next) => {
      const { pathname, searchParams } = new URL(request.url)
      const match = matchOperation(request.method, pathname, prefix)
      if (match?.operation.id === 'deleteRecord') {
        const view = await next(another(request, 'GET', pathname))
        if (view.ok) deleted.push((await view.json()) as JsonValue)
      }
      const response = await next(request)
      const isList = match?.operation.id === 'listRecords' && isStale(searchParams, match.params.table ?? '')
      if (!isList || !response.ok) return response
      const { items, ...rest } = (await response.json()) as JsonValue
      const ghosts = deleted.filter(({ collectionName, collectionId }) =>
        [collectionName, collectionId].includes(match.params.table),
      )
      return json(200, { ...rest, items: [...(items as JsonValue[]), ...ghosts] })
    }
  }
fault(
  'deleted records stay listed',
  { trips: ['delete.unlisted', 'field-types.keep-values'] },
  showsDeleted(() => true),
)
fault(
  'deleted records stay in lists with a filter',
  { trips: ['delete.unlisted'] },
  showsDeleted((query) => query.has('filter')),
)
fault(
  'deleted records stay in lists with an order',
  { trips: ['delete.unlisted'] },
  showsDeleted((query) => query.has('sort')),
)
fault(
  'deleted records stay in lists by the identifier of a table',
  { trips: ['delete.unlisted'] },
  showsDeleted((_query, table) => isIdentifier(table)),
)
fault(
  'deleted records are still viewed by the identifier of a table',
  { trips: ['delete.removes'] },
  (tools) => {
    const gone = new Map<string, unknown>()
    const keep = on('deleteRecord', async (request, next, { id = '' }) => {
      const view = await tools.asSuperuser(another(request, 'GET', new URL(request.url).pathname))
      const response = await next(request)
      if (view.ok && response.ok) gone.set(id, await view.json())
      return response
    })
    const tell = on('viewRecord', async (request, next, { table = '', id = '' }) =>
      isIdentifier(table) && gone.has(id) ? json(200, gone.get(id)) : next(request),
    )
    return all(keep, tell)(tools)
  },
)

/** Does to the youngest record of the table what is asked for another one. */
function alsoToYoungest(
  operation: OperationId,
  method: string,
  body?: JsonValue,
): (tools: FaultTools) => Middleware {
  return ({ prefix }) => {
    const youngest = new Map<string, string>()
    return async (request, next) => {
      const match = matchOperation(request.method, new URL(request.url).pathname, prefix)
      const { table = '', id = '' } = match?.params ?? {}
      const other = youngest.get(table)
      if (match?.operation.id === operation && other !== undefined && other !== id) {
        await (
          await next(another(request, method, `${prefix}/collections/${table}/records/${other}`, body))
        ).text()
      }
      const response = await next(request)
      if (match?.operation.id === 'createRecord' && response.ok)
        youngest.set(table, String(((await response.clone().json()) as JsonValue).id))
      return response
    }
  }
}

fault(
  'an update also changes a neighboring record',
  { trips: ['update.only-one'] },
  alsoToYoungest('updateRecord', 'PATCH', { title: 'neighbor' }),
)
fault(
  'a delete also removes a neighboring record',
  { trips: ['delete.only-one', 'delete.unlisted'] },
  alsoToYoungest('deleteRecord', 'DELETE'),
)

/** The same write is done to other records of a table in which a field has the same value. An update sends the field. */
function alsoToAlike(
  operation: 'updateRecord' | 'deleteRecord',
  of = 'conf_plain',
  field = 'title',
): (tools: FaultTools) => Middleware {
  return (tools) =>
    on(operation, async (request, next, { table = '', id = '' }) => {
      const body = operation === 'updateRecord' ? await parsedBody(request) : undefined
      if (!table.startsWith(of) || (body !== undefined && !(field in body))) return next(request)
      const path = `${tools.prefix}/collections/${table}/records`
      const { [field]: same } = (await (
        await next(another(request, 'GET', `${path}/${id}`))
      ).json()) as JsonValue
      const response = await next(request.clone())
      if (!response.ok) return response
      const alike = `${field} = ${JSON.stringify(same)} && id != "${id}"`
      for (const other of await recordsWhere(tools, request, table, alike))
        await (await next(another(request, request.method, `${path}/${other.id}`, body))).text()
      return response
    })(tools)
}
fault(
  'an update also changes a record with the same title',
  { trips: ['update.only-one'] },
  alsoToAlike('updateRecord'),
)
fault(
  'an update of a number also changes records with the same number',
  { trips: ['update.only-one'] },
  alsoToAlike('updateRecord', 'conf_everything', 'number'),
)
fault(
  'a delete also removes a record with the same title',
  { trips: ['delete.only-one'] },
  alsoToAlike('deleteRecord'),
)

fault(
  'responses to writes are empty',
  { trips: ['create.status'] },
  tamper(WRITES, () => ({})),
)
fault(
  'a delete by a superuser runs as a guest',
  { trips: ['rules.superuser'] },
  on('deleteRecord', async (request, next) => {
    const headers = new Headers(request.headers)
    headers.delete('authorization')
    return next(await withHeaders(request, headers))
  }),
)

fault(
  'a related record cannot be viewed',
  { trips: ['relation.leads-to-record'] },
  on('viewRecord', async (request, next, { table }) => {
    const response = await next(request)
    const { parent } = (await response.clone().json()) as JsonValue
    return table === 'conf_related' && parent === '' ? fieldRejection(404) : response
  }),
)
fault(
  'table ids work for reads only',
  { trips: ['table.by-id-writes'] },
  on(['createRecord', 'updateRecord', 'deleteRecord'], async (request, next, { table = '' }) =>
    table.endsWith('_0001') ? fieldRejection(404) : next(request),
  ),
)

/** Empties the relations of these records of `related`. */
async function emptyRelations(tools: FaultTools, request: Request, ids: Iterable<unknown>): Promise<void> {
  for (const id of ids) {
    const path = `${tools.prefix}/collections/conf_related/records/${id}`
    await (await tools.asSuperuser(another(request, 'PATCH', path, { parent: '' }))).arrayBuffer()
  }
}
fault(
  'a delete empties the relations that led to the record before an update',
  { trips: ['delete.only-one'] },
  (tools) => {
    const before = new Map<unknown, Set<string>>()
    return on(['updateRecord', 'deleteRecord'], async (request, next, { operation, table, id = '' }) => {
      const view =
        operation === 'updateRecord' && table === 'conf_related'
          ? await tools.asSuperuser(another(request, 'GET', new URL(request.url).pathname))
          : undefined
      const response = await next(request.clone())
      if (view?.ok && response.ok) {
        const { parent } = (await view.json()) as JsonValue
        before.set(parent, (before.get(parent) ?? new Set()).add(id))
      }
      if (operation === 'deleteRecord') await emptyRelations(tools, request, before.get(id) ?? [])
      return response
    })(tools)
  },
)
fault(
  'a delete empties the relations to a record of another table with the same id',
  { trips: ['delete.only-one'] },
  on('deleteRecord', async (request, next, { table, id }, tools) => {
    const response = await next(request.clone())
    if (table !== 'conf_plain' || !response.ok) return response
    const referring = await recordsWhere(tools, request, 'conf_related', `parent = "${id}"`)
    await emptyRelations(
      tools,
      request,
      referring.map((record) => record.id),
    )
    return response
  }),
)
/** A delete in a table also removes the newest record whose relation to it is empty. */
const alsoUnattached = (of: string, referring: string) =>
  on('deleteRecord', async (request, next, { table }, tools) => {
    const response = await next(request.clone())
    if (table !== of || !response.ok) return response
    for (const { id } of await recordsWhere(tools, request, referring, 'parent = ""')) {
      const path = `${tools.prefix}/collections/${referring}/records/${id}`
      await (await tools.asSuperuser(another(request, 'DELETE', path))).arrayBuffer()
    }
    return response
  })
for (const [of, referring] of [
  ['conf_plain', 'conf_cascading'],
  ['conf_related', 'conf_related'],
] as const)
  fault(
    `a delete in ${of} also removes records of ${referring} that refer to none`,
    { trips: ['delete.only-one'] },
    alsoUnattached(of, referring),
  )
