/**
 * The sub-requests of a batch with the target's field names, and their responses with ours.
 *
 * @module
 */

import { matchEntry } from '../../exchange/batch-entries.ts'
import { hasOtherNames, toOurs, toTheirs } from '../target/mapped-table.ts'
import type { ApiResponse, SubRequest } from '../vocabulary/api.ts'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { wholeCreate } from './whole-create.ts'

/** Creates are completed like those outside of a batch. */
export function batchToTheirs(
  session: Pick<Wire, 'target' | 'binding'> & CleanUp & Course & RunSettings,
  prefix: string,
  requests: readonly SubRequest[],
): SubRequest[] {
  return requests.map((request) => {
    if (request.body === undefined) return request
    const match = matchEntry(request, prefix)
    const table = renamedTable(session, match?.params.table)
    const body = table === undefined ? request.body : toTheirs(table, request.body)
    return match?.operation.id === 'createRecord'
      ? { ...request, body: wholeCreate(session, match.params.table ?? '', body) }
      : { ...request, body }
  })
}

export function batchToOurs(
  session: Pick<CleanUp, 'ownership'>,
  prefix: string,
  requests: readonly SubRequest[],
  response: ApiResponse,
): ApiResponse {
  if (!Array.isArray(response.body)) return response
  const tables = requests.map((request) => renamedTable(session, matchEntry(request, prefix)?.params.table))
  const responses = response.body.map((result: { body?: unknown } | null, index) => {
    const table = tables[index]
    return table === undefined || result?.body === undefined
      ? result
      : { ...result, body: toOurs(table, result.body) }
  })
  return { ...response, body: responses }
}

/** The table of a sub-request, also by an identifier that records have shown, if its fields have other names. */
function renamedTable(
  { ownership }: Pick<CleanUp, 'ownership'>,
  name: string | undefined,
): TableRef | undefined {
  const table = name === undefined ? undefined : ownership.mapped(name)
  return table !== undefined && hasOtherNames(table) ? table : undefined
}
