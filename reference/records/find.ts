/**
 * Tables and records by what stands in the path.
 *
 * @module
 */

import { apiKeysTableName } from '../auth/api-keys.ts'
import { notFound } from '../errors.ts'
import type { Ask } from '../services.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'

/** @throws ApiError 404; creating and updating word it in their own way (contract-records 4.2). */
export function findTable(ask: Ask, reader: Reader, message = 'Missing collection context.'): Table {
  const table = reader.table(ask.table)
  if (table === undefined || table.name === apiKeysTableName) throw notFound(message)
  return table
}

/** @throws ApiError 404 as for a record that the caller may not see. */
export function findRow(ask: Ask, reader: Reader, table: Table): Row {
  const row = reader.get(table, ask.id)
  if (row === undefined) throw notFound()
  return row
}
