/**
 * Values that are not the proof that an email contains, and confirmations with them.
 *
 * @module
 */

import { expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { Account } from '../../shared/auth/accounts.ts'
import { newOtpIfPossible, type RequestedProof } from '../../shared/auth/email-flows.ts'
import { expectNotRevealed } from '../../shared/auth/expect-not-revealed.ts'
import { reveals, shownOf } from '../../shared/auth/reveals.ts'
import { sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, impersonationOf, type SignedIn } from '../../shared/auth/sessions.ts'
import { tamperings } from '../../shared/auth/tampering.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * Altered forms of an emailed token, and strings that were never a token. The responses are left open: checks only judge
 * that none of them has an effect.
 */
function forgeries(token: string): string[] {
  return [...tamperings(token).map(([, altered]) => altered), 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln', 'x']
}

/** A few of them, for a table that is tried in addition. */
export const fewForgeries = (token: string) => forgeries(token).slice(-3)

/**
 * Values that are available without the email of a flow: tokens of the account's sessions, and the identifier that
 * belongs to a code. If one of them cannot be obtained, another check reports why.
 */
export async function otherProofs(
  context: CheckContext,
  account: Account & Partial<Pick<SignedIn, 'token'>>,
): Promise<string[]> {
  // Without the help of a superuser, who would verify the account.
  const token = account.token ?? sessionToken(await byPassword(context, account))
  const otp = await newOtpIfPossible(context, account)
  // Last: it may end the session.
  const impersonation = await unlessPrevented(() => impersonationOf(context, account))
  return [token, otp?.otpId, impersonation].filter((each) => each !== undefined)
}

/**
 * Confirms with all forgeries by the first name of the table, and with a few by the others. No response reveals the proof
 * that the email contains, and neither does the one to the first step.
 */
export async function confirmForged(
  [name, ...others]: readonly TableRef[],
  { token, response: first }: RequestedProof,
  confirm: (table: TableRef, forged: string) => Promise<ApiResponse>,
): Promise<void> {
  const fact = 'the response to the first step contains the proof that was emailed'
  expectThat(!reveals(first, token), fact, 'no proof', shownOf(first))
  const responses: ApiResponse[] = []
  if (name !== undefined) for (const forged of forgeries(token)) responses.push(await confirm(name, forged))
  for (const other of others)
    for (const forged of fewForgeries(token)) responses.push(await confirm(other, forged))
  expectNotRevealed(responses, token, 'a forged proof')
}
