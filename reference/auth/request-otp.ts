/**
 * `POST /collections/{table}/request-otp` (contract-auth 5.1).
 *
 * @module
 */

import { forbidden, type RejectionReason } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext, Services } from '../services.ts'
import type { Row, Table } from '../vocabulary.ts'
import { emailError, emailOf, findByEmail } from './account.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable, switchedOff } from './auth-table.ts'
import { composeEmail } from './mail/compose.ts'
import { noAccount } from './mail-link.ts'
import { openDecoy } from './open-decoy.ts'
import { addOwned, isOlder, lifetimeOf, makeRoom, ownedRows, ownedTable } from './owned-rows.ts'
import { hashPassword } from './passwords.ts'

/** @throws ApiError 403 */
export function requireOtpEnabled(table: Table): void {
  if (!table.definition.otp?.enabled) {
    throw forbidden(
      switchedOff(table, 'otp'),
      'The collection is not configured to allow OTP authentication.',
    )
  }
}

/** Sends the email with the code. The row stores the address after delivery, and is removed if delivery fails. */
async function mailCode(
  services: Services,
  table: Table,
  row: Row,
  otpId: string,
  code: string,
): Promise<void> {
  const to = emailOf(row)
  const settle = (sent: boolean) =>
    services.store.transaction((writer) => {
      const otps = ownedTable(writer, 'otps')
      const present = writer.get(otps, otpId)
      if (present === undefined) return
      if (sent) writer.replace(otps, present, { ...present.values, sentTo: to })
      else writer.remove(otps, present)
    })
  try {
    await services.mail.send(composeEmail(services, 'otp', table, row, to, { OTP: code, OTP_ID: otpId }))
  } catch (error) {
    await settle(false)
    throw error
  }
  await settle(true)
}

/** For the log: why no email was sent. */
function noCode(table: Table, email: string, account: Row | undefined): RejectionReason {
  if (account === undefined) return noAccount(table, email)
  return () => `${table.name}/${account.id} has as many open codes as allowed: no email was sent.`
}

/**
 * Emails a one-time code. An unknown address gets the same response, after the same work.
 *
 * @throws ApiError 404 no such auth table; 403 switched off; 400 body, not an address
 */
export async function requestOtp(context: RequestContext, request: Request): Promise<OperationResult> {
  const { services } = context
  const { store, environment, throttle } = services
  const table = findAuthTable(context, store.current)
  requireOtpEnabled(table)
  const body = await readAuthBody(context, request)
  const email = body.text('email')
  throwInvalid({ email: emailError(email) })

  const code = environment.random('0123456789', table.definition.otp?.length ?? 8)
  const password = hashPassword(environment, code)
  const opened = await store.transaction((writer) => {
    const row = findByEmail(writer, table, email)
    if (row === undefined)
      return { otpId: openDecoy(context, table, email, lifetimeOf('otps', table) * 1000) }
    const open = ownedRows(writer, 'otps', table, row).filter(
      (otp) => !isOlder(otp, lifetimeOf('otps', table), environment),
    )
    const newest = open.at(-1)
    if (throttle.openOtps > 0 && open.length >= throttle.openOtps && newest)
      return { otpId: newest.id, account: row }
    makeRoom(writer, 'otps', table, row, environment)
    const otp = addOwned(writer, 'otps', table, row, { password }, environment)
    return { otpId: otp.id, row }
  })
  const { otpId, row, account } = opened
  if (row !== undefined) services.background.start(() => mailCode(services, table, row, otpId, code), otpId)
  return { status: 200, body: { otpId }, note: row === undefined ? noCode(table, email, account) : undefined }
}
