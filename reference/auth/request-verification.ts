/**
 * `POST /collections/{table}/request-verification` (contract-auth 9.1).
 *
 * @module
 */

import { badRequest, inResponse, type RejectionReason } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { Row, Table } from '../vocabulary.ts'
import { emailError, findByEmail } from './account.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable } from './auth-table.ts'
import { admitResend, mailLink, noAccount, tooSoon } from './mail-link.ts'
import { isSuperusersTable } from './superusers.ts'

/** @throws ApiError 400 */
export function rejectSuperusers(table: Table, message: string): void {
  if (isSuperusersTable(table)) throw badRequest(inResponse, message)
}

function alreadyVerified(table: Table, row: Row): RejectionReason {
  return () => `${table.name}/${row.id} is already verified: no email was sent.`
}

/**
 * Emails a link that verifies the address. The response does not reveal whether the record exists or an email was sent.
 *
 * @throws ApiError 404 no such auth table; 400 superusers, body, not an address
 */
export async function requestVerification(
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const { services } = context
  const table = findAuthTable(context, services.store.current)
  rejectSuperusers(table, 'All superusers are verified by default.')
  const body = await readAuthBody(context, request)
  const email = body.text('email')
  throwInvalid({ email: emailError(email) })

  const row = findByEmail(services.store.current, table, email)
  if (row === undefined) return { status: 204, note: noAccount(table, email) }
  if (row.values.verified === true) return { status: 204, note: alreadyVerified(table, row) }
  if (!admitResend(services, 'verification', row)) return { status: 204, note: tooSoon(services, table, row) }
  services.background.start(() => mailLink(services, 'verification', table, row))
  return { status: 204 }
}
