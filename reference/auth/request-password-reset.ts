/**
 * `POST /collections/{table}/request-password-reset` (contract-auth 9.2).
 *
 * @module
 */

import { badRequest } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import { emailError, findByEmail } from './account.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable, switchedOff } from './auth-table.ts'
import { admitResend, allowResend, mailLink, noAccount, tooSoon } from './mail-link.ts'

/**
 * Emails a link that sets a new password. The response does not reveal whether the record exists or an email was sent.
 *
 * @throws ApiError 404 no such auth table; 400 password sign-in disabled, body, not an address
 */
export async function requestPasswordReset(
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const { services } = context
  const table = findAuthTable(context, services.store.current)
  if (!table.definition.passwordAuth?.enabled) {
    throw badRequest(
      switchedOff(table, 'passwordAuth'),
      'The collection is not configured to allow password authentication.',
    )
  }
  const body = await readAuthBody(context, request)
  const email = body.text('email')
  throwInvalid({ email: emailError(email) })

  const row = findByEmail(services.store.current, table, email)
  if (row === undefined) return { status: 204, note: noAccount(table, email) }
  if (!admitResend(services, 'passwordReset', row))
    return { status: 204, note: tooSoon(services, table, row) }
  services.background.start(async () => {
    try {
      await mailLink(services, 'passwordReset', table, row)
    } catch (error) {
      allowResend(services, 'passwordReset', row)
      throw error
    }
  })
  return { status: 204 }
}
