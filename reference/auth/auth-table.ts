/**
 * The table of a sign-in operation (contract-auth 0.3).
 *
 * @module
 */

import { notFound } from '../errors.ts'
import { findTable } from '../records/find.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Table } from '../vocabulary.ts'

/** Finds any table. Sign-in operations have their own message for a missing one. @throws ApiError 404 */
export function findAnyTable(context: RequestContext, reader: Reader): Table {
  return findTable(context, reader, 'Missing or invalid collection context.')
}

/** @throws ApiError 404 if sign-in is not enabled for the table */
export function requireAuthTable(table: Table): Table {
  if (table.type !== 'auth') throw notFound('Missing or invalid auth collection context.')
  return table
}

/** @throws ApiError 404 if there is no such table, or sign-in is not enabled for it */
export function findAuthTable(context: RequestContext, reader: Reader): Table {
  return requireAuthTable(findAnyTable(context, reader))
}
