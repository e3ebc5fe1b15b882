/**
 * `POST /collections/{table}/auth-refresh` (contract-auth section 7).
 *
 * @module
 */

import { forbidden, unauthorized } from '../errors.ts'
import { reauthenticate } from '../http/handle.ts'
import { bodyLimit, readBody } from '../http/read-body.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { SignedInCaller, Table } from '../vocabulary.ts'
import { authResponse, requireAuthRule } from './auth-response.ts'
import { findAnyTable, requireAuthTable } from './auth-table.ts'
import { noSession } from './token-fault.ts'

/**
 * The caller as a signed-in record of this table.
 *
 * @throws ApiError 401 for a guest, 403 for a key or a record of another table
 */
export function requireOwnToken(context: RequestContext, table: Table): SignedInCaller {
  const { caller } = context
  if (caller.kind === 'guest') throw unauthorized(noSession(context))
  if (caller.kind === 'key') {
    throw forbidden(
      () => 'The caller is an API key, which has no session.',
      'The authorized record is not allowed to perform this action.',
    )
  }
  if (caller.table.id !== table.id) {
    throw forbidden(
      () => `The caller is ${caller.table.name}/${caller.row.id}, and the path names "${table.name}".`,
      `The request requires auth record from ${caller.table.name} collection.`,
    )
  }
  return caller
}

/**
 * Returns a new token for the caller's record. The old token stays valid. A token that cannot be refreshed is returned
 * unchanged.
 *
 * @throws ApiError 404 no such table; 401, 403 not a token of this table, or rejected by authRule; 400 malformed body
 */
export async function authRefresh(context: RequestContext, request: Request): Promise<OperationResult> {
  const { store, tokens } = context.services
  const table = findAnyTable(context, store.current)
  requireOwnToken(context, table)
  requireAuthTable(table, store.current)
  await readBody(request, bodyLimit, context)
  const reader = store.current
  // The body can arrive slowly, and the session may have ended since the request began.
  const now = await reauthenticate(context, request, reader)
  const { row, token: old } = requireOwnToken(now, table)
  requireAuthRule(now, reader, table, row)
  const token = old.refreshable ? await tokens.sign(table, row, 'auth') : old.text
  return authResponse(context, reader, { table, row, token })
}
