/**
 * Finds tables and records by the segments of the path.
 *
 * @module
 */

import { apiKeysTableName } from '../auth/api-keys.ts'
import { notFound } from '../errors.ts'
import { unknownRecord, unknownTable } from '../reasons/reasons.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'

/**
 * @throws ApiError 404 with the message of creating and updating, unless it is inside a batch (contract-records 4.2)
 */
export function findTableToWrite(context: RequestContext, reader: Reader): Table {
  return findTable(
    context,
    reader,
    context.c === 'batch' ? undefined : 'Missing or invalid collection context.',
  )
}

/** Undefined if `findTable` would throw. */
export function findTableQuietly(context: RequestContext, reader: Reader): Table | undefined {
  const table = reader.table(context.table)
  return table?.name === apiKeysTableName ? undefined : table
}

/** @throws ApiError 404 */
export function findTable(
  context: RequestContext,
  reader: Reader,
  message = 'Missing collection context.',
): Table {
  const table = findTableQuietly(context, reader)
  if (table === undefined)
    throw notFound(unknownTable(context.table, reader, context.services.views), message)
  return table
}

/** @throws ApiError 404 as for a record that the caller may not view */
export function findRow(context: RequestContext, reader: Reader, table: Table): Row {
  const row = reader.get(table, context.id)
  if (row === undefined) throw notFound(unknownRecord(context.id, table))
  return row
}
