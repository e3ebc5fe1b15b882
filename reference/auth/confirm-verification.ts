/**
 * `POST /collections/{table}/confirm-verification` (contract-auth 9.1).
 *
 * @module
 */

import type { OperationResult } from '../http/respond.ts'
import type { RequestContext, Services } from '../services.ts'
import type { FieldError, Table } from '../vocabulary.ts'
import { changeAccount, emailOf, randomPassword } from './account.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable } from './auth-table.ts'
import { allowResend, linkedRecord, noLinkToken, type ReadToken, readLinkToken } from './mail-link.ts'
import { rejectSuperusers } from './request-verification.ts'
import { noAddress } from './token-fault.ts'
import { readClaims, type VerifiedToken } from './tokens.ts'

const missingClaim: FieldError = {
  code: 'validation_invalid_token_claims',
  message: 'Missing email token claim.',
}

const otherEmail: FieldError = {
  code: 'validation_token_email_mismatch',
  message: 'The record email is different from the requested one.',
}

async function readToken(services: Services, text: string, table: Table): Promise<ReadToken> {
  if (text === '') return noLinkToken
  if (!readClaims(text)?.email) {
    return { error: missingClaim, reason: noAddress(services, text, 'verification', table) }
  }
  const read = await readLinkToken(services, text, 'verification', table)
  if (read.error) return read
  const { claims, row } = read.token
  if (claims.email === emailOf(row)) return read
  const reason = () =>
    `The token verifies ${claims.email}, and the address of ${table.name}/${row.id} is ${emailOf(row) || 'empty'}.`
  return { error: otherEmail, reason }
}

/** Each token verifies once: if `verified` is later set to false, the old link does not verify the address again. */
async function verify(services: Services, table: Table, token: VerifiedToken): Promise<void> {
  const { row, claims, text } = token
  const { store, memory, environment } = services
  const usedKey = `verified by\0${claims.jti ?? text}`
  const used = memory.since(usedKey) !== undefined
  memory.note(usedKey, claims.exp * 1000)
  if (used || row.values.verified === true) return
  // Without password sign-in it is unknown who set the password, so it is replaced too.
  const password = table.definition.passwordAuth?.enabled ? {} : { password: randomPassword(environment) }
  await store.transaction((writer) => {
    const present = linkedRecord(writer, token)
    if (present === undefined) return
    changeAccount(writer, table, present, { verified: true, ...password }, environment)
  })
}

/** @throws ApiError 404 no such auth table; 400 superusers, body, token */
export async function confirmVerification(
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const { services } = context
  const table = findAuthTable(context, services.store.current)
  rejectSuperusers(table, 'All superusers are verified by default.')
  const body = await readAuthBody(context, request)
  const { token, error, reason } = await readToken(services, body.text('token'), table)
  throwInvalid({ token: error }, reason)
  if (token !== undefined) {
    await verify(services, table, token)
    allowResend(services, 'verification', token.row)
  }
  return { status: 204 }
}
