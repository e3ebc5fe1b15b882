/**
 * Confirmation links in emails: sends them, and reads the token that comes back (contract-auth section 9).
 *
 * @module
 */

import { quoted } from '../../spec/nearest.ts'
import { blank, type RejectionReason } from '../errors.ts'
import type { Services } from '../services.ts'
import type { FieldError, Reader, Row, Table } from '../vocabulary.ts'
import { emailOf } from './account.ts'
import { composeEmail } from './mail/compose.ts'
import type { EmailKind } from './mail/template.ts'
import { linkFault } from './token-fault.ts'
import type { TokenKind, VerifiedToken } from './tokens.ts'

type LinkKind = 'verification' | 'passwordReset' | 'emailChange'

const mailKindOf: Readonly<Record<LinkKind, EmailKind>> = {
  verification: 'verification',
  passwordReset: 'password-reset',
  emailChange: 'email-change',
}

/**
 * Emails a link with a new token.
 *
 * @param newEmail the recipient, instead of the record's current address
 * @throws Error if the email cannot be delivered
 */
export async function mailLink(
  services: Services,
  kind: LinkKind,
  table: Table,
  row: Row,
  newEmail?: string,
): Promise<void> {
  const email = emailOf(row)
  const token = await services.tokens.sign(table, row, kind, { email, newEmail })
  const to = newEmail ?? email
  await services.mail.send(composeEmail(services, mailKindOf[kind], table, row, to, { TOKEN: token }))
}

const resendKey = (kind: LinkKind, row: Row) => `resend\0${kind}\0${row.id}`

/** Whether an email of this kind may be sent to the record now. If so, the next one has to wait. */
export function admitResend({ memory, throttle }: Services, kind: LinkKind, row: Row): boolean {
  if (throttle.resendSeconds === 0) return true
  const key = resendKey(kind, row)
  if (memory.since(key) !== undefined) return false
  return memory.admit(key, 1, throttle.resendSeconds * 1000)
}

/** Allows the next email of this kind immediately. */
export function allowResend({ memory }: Services, kind: LinkKind, row: Row): void {
  memory.forget(resendKey(kind, row))
}

/** For the log: why no email was sent. The response is the same as if there had been one. */
export function noAccount(table: Table, email: string): RejectionReason {
  return () => `No account of "${table.name}" has the address ${quoted(email)}: no email was sent.`
}

/** The same, for an email that may not be sent again so soon. */
export function tooSoon({ throttle }: Services, table: Table, row: Row): RejectionReason {
  return () =>
    `${table.name}/${row.id} was sent the last email less than ${throttle.resendSeconds} seconds ago: no email was sent.`
}

export const badToken: FieldError = {
  code: 'validation_invalid_token',
  message: 'Invalid or expired token.',
}

const otherTable: FieldError = {
  code: 'validation_token_collection_mismatch',
  message: 'The provided token is for different auth collection.',
}

/** A token that is valid for this table, with its record, or the error. */
export type ReadToken =
  | { token: VerifiedToken; error?: undefined; reason?: undefined }
  | { token?: undefined; error: FieldError; reason: RejectionReason }

/** No token at all. */
export const noLinkToken: ReadToken = { error: blank, reason: () => 'The body has no token.' }

/** The token was valid when the request began. */
export const usedMeanwhile: RejectionReason = () => 'Another request has used the token in the meantime.'

/** Reads the token of a link. The caller rejects blank tokens. */
export async function readLinkToken(
  services: Services,
  text: string,
  kind: TokenKind,
  table: Table,
): Promise<ReadToken> {
  const token = await services.tokens.verify(services.store.current, text, kind)
  if (token?.table.id === table.id) return { token }
  const error = token === undefined ? badToken : otherTable
  return { error, reason: linkFault(services, text, kind, table) }
}

/** The token's record in its current state; undefined if the token was ended after it was read. */
export function linkedRecord(reader: Reader, { table, row }: VerifiedToken): Row | undefined {
  const present = reader.get(table, row.id)
  return present?.values.tokenKey === row.values.tokenKey ? present : undefined
}
