/**
 * `POST /collections/{table}/auth-with-otp` (contract-auth 5.2, 5.3).
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { ApiError, badRequest, type RejectionReason } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Row, Table, Writer } from '../vocabulary.ts'
import { changeAccount, emailOf, randomPassword } from './account.ts'
import { lengthError, readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable } from './auth-table.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { decoyOwner } from './open-decoy.ts'
import { isOlder, lifetimeOf, ownedTable } from './owned-rows.ts'
import { verifyPassword } from './passwords.ts'
import { requireOtpEnabled } from './request-otp.ts'
import { timeText } from './token-fault.ts'

const longestCode = 71

const invalid = (reason: RejectionReason) => badRequest(reason, 'Invalid or expired OTP.')

/** An open code of this table. */
function findOtp(context: RequestContext, reader: Reader, table: Table, otpId: string): Row | undefined {
  const otp = reader.get(ownedTable(reader, 'otps'), otpId)
  if (otp === undefined || otp.values.collectionRef !== table.id) return undefined
  return isOlder(otp, lifetimeOf('otps', table), context.services.environment) ? undefined : otp
}

/** Why a code cannot be used. @param requested the code is open, or a decoy */
function invalidCode(
  { services }: RequestContext,
  reader: Reader,
  table: Table,
  otpId: string,
  requested: boolean,
): RejectionReason {
  const now = services.environment.now()
  return () => {
    const otp = reader.get(ownedTable(reader, 'otps'), otpId)
    if (otp === undefined)
      return requested
        ? `No record of "${table.name}" has the address that this code was requested for, so no code was emailed.`
        : 'There is no code with this otpId: it was used, has expired, or was never requested.'
    if (otp.values.collectionRef !== table.id) {
      const owner = reader.table(String(otp.values.collectionRef))
      return `The code is for "${owner?.name}", and the path names "${table.name}".`
    }
    const lifetime = lifetimeOf('otps', table)
    const expires = Date.parse(String(otp.values.created)) + lifetime * 1000
    if (now > expires)
      return `The code expired at ${timeText(expires)}, after ${lifetime} s (otp.duration), and the clock of the server says ${timeText(now)}.`
    return `The code is not the one that was emailed to ${table.name}/${otp.values.recordRef}.`
  }
}

/**
 * Counts an attempt, right or wrong: requesting many codes for one record must not allow more guesses.
 *
 * @throws ApiError 429
 */
function countAttempt({ services, ip }: RequestContext, owner: string): void {
  const { otpAttempts, otpAttemptSeconds } = services.throttle
  if (otpAttempts === 0) return
  if (services.memory.admit(`otp attempt\0${owner}\0${ip}`, otpAttempts, otpAttemptSeconds * 1000)) return
  throw new ApiError(
    429,
    () =>
      `One record allows ${countOf(otpAttempts, 'attempt')} with codes in ${otpAttemptSeconds} s from one address (throttle.otpAttempts), here ${ip}.`,
    'Too many attempts, please try again later with a new OTP.',
  )
}

/**
 * Consumes the code. Reading an email proves that the record owns its address. A password that another person may have
 * set before then stops working, unless a second factor protects the record.
 *
 * @throws ApiError 400 if another request consumed the code first
 */
function redeem(context: RequestContext, writer: Writer, table: Table, otpId: string): Row {
  const { environment } = context.services
  const otps = ownedTable(writer, 'otps')
  const otp = writer.get(otps, otpId)
  const row = otp && writer.get(table, String(otp.values.recordRef))
  if (otp === undefined || row === undefined)
    throw invalid(() => 'Another request has used the code in the meantime.')
  writer.remove(otps, otp)
  const { sentTo } = otp.values
  if (row.values.verified === true || sentTo === '' || sentTo !== emailOf(row)) return row
  const password = table.definition.mfa?.enabled ? {} : { password: randomPassword(environment) }
  return changeAccount(writer, table, row, { verified: true, ...password }, environment)
}

/**
 * Signs in by one-time code. The code is consumed even if authRule or the second factor then rejects the sign-in.
 *
 * @throws ApiError 404 no such auth table; 403 switched off, or rejected by authRule; 400 body, fields, code, second
 * factor; 429 too many attempts
 */
export async function authWithOtp(context: RequestContext, request: Request): Promise<OperationResult> {
  const { store, environment, background } = context.services
  const table = findAuthTable(context, store.current)
  requireOtpEnabled(table)
  const body = await readAuthBody(context, request)
  const otpId = body.text('otpId')
  const code = body.text('password')
  throwInvalid({ otpId: lengthError(otpId), password: lengthError(code, longestCode) })

  const otp = findOtp(context, store.current, table, otpId)
  const owner = otp === undefined ? decoyOwner(context, table, otpId) : String(otp.values.recordRef)
  if (owner !== undefined) countAttempt(context, owner)
  const right = verifyPassword(environment, code, otp && String(otp.values.password))
  if (otp === undefined || !right)
    throw invalid(invalidCode(context, store.current, table, otpId, owner !== undefined))
  // The client may read the email before the mail server confirms the delivery, and only then is the address known. No
  // other request waits here: waiting would reveal which addresses belong to a record.
  await background.settled(otpId)
  const row = await store.transaction((writer) => redeem(context, writer, table, otpId))
  return finishSignIn(context, request, { table, row, method: 'otp', body: body.values })
}
