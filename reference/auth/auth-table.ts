/**
 * The table of a sign-in operation (contract-auth 0.3).
 *
 * @module
 */

import { notFound, type RejectionReason } from '../errors.ts'
import { findTable } from '../records/find.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Table } from '../vocabulary.ts'

/** Finds any table. Sign-in operations have their own message for a missing one. @throws ApiError 404 */
export function findAnyTable(context: RequestContext, reader: Reader): Table {
  return findTable(context, reader, 'Missing or invalid collection context.')
}

function noAuthTable({ name }: Table, reader: Reader): RejectionReason {
  return () => {
    const tables = [...reader.tables()].filter(({ type, system }) => type === 'auth' && !system)
    const names = tables.map((one) => one.name).sort()
    const known = names.length === 0 ? 'There are none' : `Auth tables: ${names.join(', ')}`
    return `"${name}" is not a table of type auth, so no one signs in to it. ${known}.`
  }
}

/** @throws ApiError 404 if sign-in is not enabled for the table */
export function requireAuthTable(table: Table, reader: Reader): Table {
  if (table.type !== 'auth')
    throw notFound(noAuthTable(table, reader), 'Missing or invalid auth collection context.')
  return table
}

/** @throws ApiError 404 if the table does not exist, or sign-in is not enabled for it */
export function findAuthTable(context: RequestContext, reader: Reader): Table {
  return requireAuthTable(findAnyTable(context, reader), reader)
}

/** A way to sign in that the table does not have. */
export function switchedOff({ name }: Table, method: 'passwordAuth' | 'otp' | 'oauth2'): RejectionReason {
  return () => `${method}.enabled of "${name}" is false.`
}
