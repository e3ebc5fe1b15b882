/**
 * The table of a sign-in operation (contract-auth 0.3).
 *
 * @module
 */

import { notFound } from '../errors.ts'
import { findTable } from '../records/find.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Table } from '../vocabulary.ts'

/** Any table; sign-in operations word its absence in their own way. @throws ApiError 404 */
export function findAnyTable(context: RequestContext, reader: Reader): Table {
  return findTable(context, reader, 'Missing or invalid collection context.')
}

/** @throws ApiError 404 when it is not enabled for sign-in */
export function requireAuthTable(table: Table): Table {
  if (table.type !== 'auth') throw notFound('Missing or invalid auth collection context.')
  return table
}

/** @throws ApiError 404 when there is none, or it is not enabled for sign-in */
export function findAuthTable(context: RequestContext, reader: Reader): Table {
  return requireAuthTable(findAnyTable(context, reader))
}
