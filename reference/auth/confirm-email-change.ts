/**
 * `POST /collections/{table}/confirm-email-change` (contract-auth 9.3).
 *
 * @module
 */

import type { ErrorData } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext, Services } from '../services.ts'
import type { FieldError, Row, Table } from '../vocabulary.ts'
import { changeAccount, findByEmail } from './account.ts'
import { lengthError, readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable } from './auth-table.ts'
import {
  badToken,
  linkedRecord,
  noLinkToken,
  type ReadToken,
  readLinkToken,
  usedMeanwhile,
} from './mail-link.ts'
import { verifyPassword } from './passwords.ts'
import { rejectSuperusers } from './request-verification.ts'
import { noAddress } from './token-fault.ts'
import { readClaims } from './tokens.ts'

const longestPassword = 100

const missingClaim: FieldError = {
  code: 'validation_invalid_token_payload',
  message: 'Invalid token payload - newEmail must be set.',
}

const taken: FieldError = {
  code: 'validation_invalid_token_email',
  message: 'The new email address is invalid.',
}

const wrongPassword: FieldError = {
  code: 'validation_invalid_password',
  message: 'Missing or invalid auth record password.',
}

async function readToken(services: Services, text: string, table: Table): Promise<ReadToken> {
  if (text === '') return noLinkToken
  const newEmail = readClaims(text)?.newEmail
  if (!newEmail) {
    return { error: missingClaim, reason: noAddress(services, text, 'emailChange', table) }
  }
  const read = await readLinkToken(services, text, 'emailChange', table)
  if (read.error) return read
  const holder = findByEmail(services.store.current, table, newEmail)
  if (holder === undefined || holder.id === read.token.row.id) return read
  return { error: taken, reason: () => `${table.name}/${holder.id} already has the address ${newEmail}.` }
}

/** The token identifies the record that the password belongs to, so without a valid token no password is correct. */
function passwordError(
  services: Services,
  text: string,
  row: Row | undefined,
): ErrorData[string] | undefined {
  const error = lengthError(text, longestPassword)
  if (error !== undefined) return error
  const stored = row && String(row.values.password)
  return verifyPassword(services.environment, text, stored) ? undefined : wrongPassword
}

/**
 * Changes the record to the new address, which is then verified. All its tokens end.
 *
 * @throws ApiError 404 no such auth table; 400 superusers, body, token, password, address not allowed
 */
export async function confirmEmailChange(
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const { services } = context
  const { store, environment } = services
  const table = findAuthTable(context, store.current)
  rejectSuperusers(table, 'All superusers can change their emails directly.')
  const body = await readAuthBody(context, request)
  const [text, password] = [body.text('token'), body.text('password')]
  const { token, error, reason } = await readToken(services, text, table)
  throwInvalid(
    { token: error, password: passwordError(services, password, token?.row) },
    reason ?? (() => `The password does not match that of ${table.name}/${token?.row.id}.`),
  )
  const email = token?.claims.newEmail
  if (token === undefined || email === undefined) return { status: 204 }
  await store.transaction((writer) => {
    const row = linkedRecord(writer, token)
    // Another request used the same link in the meantime.
    if (row === undefined) return throwInvalid({ token: badToken }, usedMeanwhile)
    const rejection = 'Failed to confirm email change.'
    changeAccount(writer, table, row, { email, verified: true }, environment, { rejection })
  })
  return { status: 204 }
}
