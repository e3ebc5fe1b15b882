/**
 * Reads the body of a record write: the table first, since its fields say how large a body may be (contract-records
 * 4.2, section 8).
 *
 * @module
 */

import { bodyLimit, readBody, type SubmittedBody } from '../http/read-body.ts'
import type { Ask } from '../services.ts'
import type { Field, Table } from '../vocabulary.ts'
import { findTable, findTableToWrite } from './find.ts'

const megabyte = 1024 * 1024

/** Bytes that one field may bring on top of the usual limit. */
function allowance({ definition }: Field): number {
  if (definition.type === 'file')
    return (definition.maxSize || 5 * megabyte) * Math.max(1, definition.maxSelect ?? 0)
  if (definition.type === 'editor') return definition.maxSize || 5 * megabyte
  if (definition.type === 'json') return definition.maxSize || megabyte
  return 0
}

function limitOf(table: Table): number {
  return table.fields.reduce((sum, field) => sum + allowance(field), bodyLimit)
}

/** For creating and updating. @throws ApiError 404, 413, 400 in this order */
export function receiveRecord(ask: Ask, request: Request): Promise<SubmittedBody> {
  const table = findTableToWrite(ask, ask.services.store.current)
  return readBody(request, limitOf(table), ask)
}

/** For deleting: a body means nothing, but a malformed one is refused. @throws ApiError 404, 413, 400 in this order */
export function receiveDeletion(ask: Ask, request: Request): Promise<SubmittedBody> {
  findTable(ask, ask.services.store.current)
  return readBody(request, bodyLimit, ask)
}
