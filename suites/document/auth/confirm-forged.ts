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
import { newOtpUnlessTooMany, type RequestedProof } from '../../shared/auth/email-flows.ts'
import { expectNotRevealed } from '../../shared/auth/expect-not-revealed.ts'
import { reveals, shownOf } from '../../shared/auth/reveals.ts'
import { sentBackIn, sessionToken } from '../../shared/auth/session-in.ts'
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
  const otp = await newOtpUnlessTooMany(context, account)
  // Last: it may end the session.
  const impersonation = await unlessPrevented(() => impersonationOf(context, account))
  return [token, otp?.otpId, impersonation].filter((each) => each !== undefined)
}

/** What messages call strings of a response that are tried as the proof. */
export const RETURNED = 'strings from the response to the first step'

/** Strings of a response that are tried as the proof: a server may count wrong attempts. */
const mostReturned = 3

/**
 * Confirms with strings of the response to the first step, which contains neither the proof that was emailed nor another one.
 * An identifier that a server takes together with the proof is none by itself.
 *
 * @returns whether there are such strings
 */
export async function confirmReturned(
  { token, response }: RequestedProof,
  confirm: (returned: string) => Promise<unknown>,
): Promise<boolean> {
  const fact = 'the response to the first step contains the proof that was emailed'
  expectThat(!reveals(response, token), fact, 'no proof', shownOf(response))
  const words = returnedProofs(response)
  for (const word of words) await confirm(word)
  return words.length > 0
}

/** Strings of a response that may be a proof, the longest first. */
export function returnedProofs({ body }: Pick<ApiResponse, 'body'>): string[] {
  const words = [...new Set(proofsIn(body))]
  return words.toSorted((one, other) => other.length - one.length).slice(0, mostReturned)
}

/** Strings and numbers of a response that may be a proof, also within a link. A word without digits may be in any message. */
function proofsIn(body: unknown): string[] {
  const words = sentBackIn(body).flatMap((text) => [text, ...text.split(/[\s/?#&=]+/)])
  return words.filter((word) => /^(?=.*\d)[\w.:~+/=-]{4,}$/.test(word))
}

/**
 * Confirms with all forgeries by the first name of the table, and with a few by the others. No response reveals the proof
 * that the email contains.
 */
export async function confirmForged(
  [name, ...others]: readonly TableRef[],
  { token }: Pick<RequestedProof, 'token'>,
  confirm: (table: TableRef, forged: string) => Promise<ApiResponse>,
): Promise<void> {
  const responses: ApiResponse[] = []
  if (name !== undefined) for (const forged of forgeries(token)) responses.push(await confirm(name, forged))
  for (const other of others)
    for (const forged of fewForgeries(token)) responses.push(await confirm(other, forged))
  expectNotRevealed(responses, token, 'a forged proof')
}
