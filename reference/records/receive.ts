/**
 * Reads the body of a record write: finds the table first, since its fields decide how large a body may be
 * (contract-records 4.2, section 8).
 *
 * @module
 */

import { fieldKind } from '../fields/registry.ts'
import { bodyLimit, readBody, type SubmittedBody } from '../http/read-body.ts'
import type { RequestContext } from '../services.ts'
import type { Table } from '../vocabulary.ts'
import { findTable, findTableToWrite } from './find.ts'

function limitOf({ fields }: Table): number {
  return fields.reduce(
    (sum, { type, definition }) => sum + (fieldKind(type).room?.(definition) ?? 0),
    bodyLimit,
  )
}

/** For creating and updating. @throws ApiError 404, 413, 400 in this order */
export function receiveRecord(context: RequestContext, request: Request): Promise<SubmittedBody> {
  const table = findTableToWrite(context, context.services.store.current)
  return readBody(request, limitOf(table), context)
}

/** For deleting: the body is ignored, but a malformed one is rejected. @throws ApiError 404, 413, 400 in this order */
export function receiveDeletion(context: RequestContext, request: Request): Promise<SubmittedBody> {
  findTable(context, context.services.store.current)
  return readBody(request, bodyLimit, context)
}
