/**
 * `POST /collections/{table}/confirm-password-reset` (contract-auth 9.2).
 *
 * @module
 */

import { blank, mismatch } from '../errors.ts'
import { runeCount } from '../fields/cast.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { FieldError, Table } from '../vocabulary.ts'
import { changeAccount, emailOf } from './account.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable } from './auth-table.ts'
import {
  allowResend,
  badToken,
  linkedRecord,
  noLinkToken,
  type ReadToken,
  readLinkToken,
  usedMeanwhile,
} from './mail-link.ts'

const longest = 255
const defaultShortest = 8

function passwordError(table: Table, text: string): FieldError | undefined {
  if (text === '') return blank
  const definition = table.field('password')?.definition
  const min = (definition?.type === 'password' && definition.min) || (definition ? 0 : defaultShortest)
  const length = runeCount(text)
  if (length >= min && length <= longest) return undefined
  return {
    code: 'validation_length_out_of_range',
    message: `The length must be between ${min} and ${longest}.`,
    params: { min, max: longest },
  }
}

function confirmationError(text: string, password: string): FieldError | undefined {
  if (text === '') return blank
  return text === password ? undefined : mismatch
}

/**
 * Sets the password. This ends every token of the record, including the one in the link. The link was emailed to the
 * record's address, so the address becomes verified.
 *
 * @throws ApiError 404 no such auth table; 400 body, token, passwords
 */
export async function confirmPasswordReset(
  context: RequestContext,
  request: Request,
): Promise<OperationResult> {
  const { services } = context
  const { store, environment } = services
  const table = findAuthTable(context, store.current)
  const body = await readAuthBody(context, request, { hideMediaType: true })
  const [text, password, confirmation] = [
    body.text('token'),
    body.text('password'),
    body.text('passwordConfirm'),
  ]
  const read: ReadToken =
    text === '' ? noLinkToken : await readLinkToken(services, text, 'passwordReset', table)
  throwInvalid(
    {
      token: read.error,
      password: passwordError(table, password),
      passwordConfirm: confirmationError(confirmation, password),
    },
    read.reason,
  )
  const { token } = read
  if (token === undefined) return { status: 204 }
  await store.transaction((writer) => {
    const row = linkedRecord(writer, token)
    // Another request used the same link in the meantime.
    if (row === undefined) return throwInvalid({ token: badToken }, usedMeanwhile)
    const verified = token.claims.email === emailOf(row) ? { verified: true } : {}
    const rejection = 'Failed to set new password.'
    changeAccount(writer, table, row, { password, ...verified }, environment, { rejection })
  })
  allowResend(services, 'passwordReset', token.row)
  return { status: 204 }
}
