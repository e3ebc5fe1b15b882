/**
 * What the console page shows and edits in addition to the control endpoints.
 *
 * @module
 */

import { packageFacts } from '../../harness/support/package-facts.ts'
import { changesOf, fileOf } from '../../reference/services-of.ts'
import { quoted } from '../../spec/nearest.ts'
import { describeTable, summarizeTables } from '../console/describe-tables.ts'
import { eventResponse, eventStream } from '../console/event-stream.ts'
import { sendInside } from '../console/send-inside.ts'
import { controlOperation, type ServeOperation } from '../operation.ts'
import { InvalidControlRequest } from '../respond.ts'

export const consoleOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'facts',
    groups: ['console'],
    returns: 'name and version of the package, and where the interface is',
    run({ serving: { prefix, url, seed } }) {
      const { name, version } = packageFacts()
      return { name, version, prefix, url, seed }
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'events',
    groups: ['console'],
    returns: 'server-sent events',
    run: ({ serving }) => eventStream(serving),
  }),
  controlOperation({
    method: 'GET',
    path: 'realtime',
    groups: ['console'],
    returns: 'server-sent events: the changes of the records of all tables, as a superuser receives them',
    run: ({ serving, request }) => eventResponse(changesOf(serving.reference, request.signal)),
  }),
  controlOperation({
    method: 'GET',
    path: 'tables',
    groups: ['console'],
    returns: 'the tables',
    run: ({ serving }) => summarizeTables(serving.reference),
  }),
  controlOperation({
    method: 'GET',
    path: 'tables/{table}',
    groups: ['console'],
    returns: 'fields and rules of a table',
    run: ({ serving, parameters: { table = '' } }) =>
      found(describeTable(serving.reference, table), `There is no table ${quoted(table)}.`),
  }),
  ...(['GET', 'POST'] as const).map((method) => inside(method, 'tables/{table}/records')),
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => inside(method, 'tables/{table}/records/{id}')),
  controlOperation({
    method: 'GET',
    path: 'tables/{table}/records/{id}/files/{name}',
    groups: ['console'],
    returns: 'the content of a file, also of a protected one',
    run: ({ serving, parameters: { table = '', id = '', name = '' } }) =>
      found(fileOf(serving.reference, { table, id, name }), `There is no file ${quoted(name)}.`),
  }),
]

/** A request to the interface itself, as a superuser. */
function inside(method: ServeOperation['method'], path: string): ServeOperation {
  return controlOperation({
    method,
    path,
    groups: ['console'],
    returns: 'what the interface returns to a superuser',
    run({ serving, request, parameters: { table = '', id } }) {
      const records = `/collections/${encodeURIComponent(table)}/records`
      const record = id === undefined ? '' : `/${encodeURIComponent(id)}`
      return sendInside(serving.reference, request, `${records}${record}${new URL(request.url).search}`)
    },
  })
}

/** @throws InvalidControlRequest 404 */
function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new InvalidControlRequest(message, 404)
  return value
}
