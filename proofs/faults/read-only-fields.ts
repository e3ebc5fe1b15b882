/** Defects of read-only fields, which the server sets: it keeps what a client sends for them. */

import type { OperationId } from '../../spec/vocabulary.ts'
import {
  all,
  another,
  type JsonValue,
  json,
  on,
  parsedBody,
  tamperRecord,
} from './combinators/combinators.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

/** Records show the last value of a field that one of these writes sent. */
function keepsSent(operation: 'createRecord' | 'updateRecord', field: string) {
  return (tools: FaultTools): Middleware => {
    const sent = new Map<unknown, unknown>()
    const keep = on(operation, async (request, next) => {
      const body = await parsedBody(request)
      const response = await next(request)
      if (response.ok && body?.[field] !== undefined)
        sent.set(((await response.clone().json()) as JsonValue).id, body[field])
      return response
    })
    const readers: OperationId[] = ['viewRecord', 'listRecords']
    const show = tamperRecord(readers, (record) =>
      sent.has(record.id) ? { ...record, [field]: sent.get(record.id) } : record,
    )
    return all(keep, show)(tools)
  }
}
for (const [field, requirement] of [
  ['created', 'record.created'],
  ['updated', 'record.updated'],
  ['collectionId', 'record.collection-id'],
  ['collectionName', 'record.collection-name'],
] as const)
  for (const [operation, write] of [
    ['createRecord', 'a create'],
    ['updateRecord', 'an update'],
  ] as const)
    fault(`${write} sets ${field} to any string`, { trips: [requirement] }, keepsSent(operation, field))

fault(
  'an update that sends another id moves the record',
  { trips: ['record.id-stable'] },
  on('updateRecord', async (request, next, { id }, tools) => {
    const { pathname } = new URL(request.url)
    const sent = (await parsedBody(request)) ?? {}
    const view = await tools.asSuperuser(another(request, 'GET', pathname))
    if (typeof sent.id !== 'string' || sent.id === id || !view.ok) return next(request)
    const before = (await view.json()) as JsonValue
    await (await tools.asSuperuser(another(request, 'DELETE', pathname))).arrayBuffer()
    const path = pathname.replace(/\/[^/]+$/, '')
    const moved = await tools.asSuperuser(another(request, 'POST', path, { ...before, ...sent }))
    return json(200, await moved.json())
  }),
)
