/**
 * What a request is for, read from the request alone: its operation, and the records that it may create. Pure.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { jsonObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { Body } from '../vocabulary/api.ts'
import { isSafeMethod } from './is-safe-method.ts'
import type { WireRequest } from './transport.ts'

/** The operation of a request, with the table and the record in its path; empty strings for none. */
export interface RequestedOperation {
  what: OperationId | undefined
  table: string
  id: string
}

/** @param operation as its sender names it. @default by its method and path */
export function requestedOperation(
  operation: OperationId | undefined,
  { method, path }: WireRequest,
  prefix: string,
): RequestedOperation {
  const match = matchOperation(method, path, prefix)
  return {
    what: operation ?? match?.operation.id,
    table: match?.params.table ?? '',
    id: match?.params.id ?? '',
  }
}

/** Tables and bodies of the creates in a request, by position. A sub-request that creates nothing has an empty table. */
export function requestedCreates(
  operation: OperationId | undefined,
  { method, path: url, body }: WireRequest,
  prefix: string,
): { table: string; body: Body }[] {
  if (isSafeMethod(method) || body === undefined) return []
  const entries =
    operation === 'batch' ? (batchEntries(body) ?? []) : [{ method, url, body: sentObject(body) }]
  return entries.map((entry) => {
    const match = matchEntry(entry, prefix)
    const table = match?.operation.id === 'createRecord' ? (match.params.table ?? '') : ''
    return { table, body: (entry?.body ?? {}) as Body }
  })
}

/** The JSON object in a request body that is a string; empty for any other body. */
export function sentObject(body: WireRequest['body']): Record<string, unknown> {
  return (typeof body === 'string' ? jsonObject(body) : undefined) ?? {}
}
