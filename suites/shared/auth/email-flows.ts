/**
 * Emails and what they contain: codes and tokens, read where a person would read them.
 *
 * @module
 */

import { objectsOf } from '../../../exchange/json-object.ts'
import { UntestableError } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind, ProofKind, ReceivedEmail } from '../../../harness/vocabulary/target.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, newAccount, newEmail } from './accounts.ts'
import { confirmFlow } from './confirm-flows.ts'
import { type Mailed, mailTo, unlessTooMany } from './mailed.ts'
import { askForChange, askForProof, type Flow, requestOtp } from './request-flows.ts'
import { type SignedIn, sessionOf } from './sessions.ts'

/**
 * The proof in an email. A check alters it, or sends it elsewhere, and sees nothing unless it is the real one: a word that may
 * be another is taken only after the target was sent one of an account that is made for this, with all its other words.
 */
async function proofIn(
  context: CheckContext,
  received: ReceivedEmail,
  kind: ProofKind,
  role: string,
): Promise<string> {
  const { mail } = context
  if (mail.isAmbiguous(received, kind)) await rehearse(context, kind, role)
  return kind === 'code' ? mail.code(received) : mail.token(received, kind)
}

/** Goes through a flow once, with an account made for it: then the run knows what the proof looks like, if it can. */
export async function rehearse(context: CheckContext, kind: ProofKind, role: string): Promise<void> {
  await context.once(`the word that is the proof: ${kind}`, () =>
    unlessPrevented(async () => {
      const account = await newAccount(context, role)
      if (kind === 'code') return rehearseCode(context, account)
      if (kind === 'email-change') return rehearseChange(context, account)
      const { received } = await mailTo(context, account.email, () => askForProof(context, kind, account))
      await confirmFlow(context, kind, account, context.mail.token(received, kind))
    }),
  )
}

async function rehearseCode(context: CheckContext, account: Account): Promise<void> {
  const mailed = await mailTo(context, account.email, () => requestOtp(context, account))
  await byOtp(context, account, otpIn(context, mailed))
}

async function rehearseChange(context: CheckContext, account: Account): Promise<void> {
  const session = await sessionOf(context, account)
  const to = newEmail(context)
  const { received } = await mailTo(context, to, () => askForChange(session, to), account.email)
  await confirmFlow(context, 'email-change', session, context.mail.token(received, 'email-change'))
}

/** A one-time code that was requested, and the identifier that goes with it. */
export interface Otp {
  otpId: string
  code: string
}

export async function newOtp(context: CheckContext, account: Pick<Account, 'table' | 'email'>): Promise<Otp> {
  const { response, received } = await mailTo(context, account.email, () => requestOtp(context, account))
  return { otpId: otpIdOf(response), code: await codeIn(context, account, received) }
}

/** The code of a response and its email, if the check does not alter it: then `newOtp` makes sure that it is the code. */
export function otpIn({ mail }: Pick<CheckContext, 'mail'>, { response, received }: Mailed): Otp {
  return { otpId: otpIdOf(response), code: mail.code(received) }
}

/** The code in an email to an account. */
export function codeIn(
  context: CheckContext,
  { table }: Pick<Account, 'table'>,
  received: ReceivedEmail,
): Promise<string> {
  return proofIn(context, received, 'code', table.role)
}

/** The identifier that goes with a code, in the response or in the one object that the response holds. */
export function otpIdIn({ body }: Pick<ApiResponse, 'body'>): string | undefined {
  const { otpId } = objectsOf(body).find((each) => typeof each.otpId === 'string') ?? {}
  return typeof otpId === 'string' ? otpId : undefined
}

/**
 * The same.
 *
 * @throws UntestableError if it has another name: that is left open (section 4.2)
 */
export function otpIdOf(response: Pick<ApiResponse, 'body'>): string {
  const otpId = otpIdIn(response)
  if (otpId !== undefined) return otpId
  throw new UntestableError(
    'the response to request-otp has an unknown form (allowed); no identifier was found in it',
    'target file: "binding": { "otp.id": "..." }, the name that auth-with-otp accepts; if it takes the address instead, ' +
      'the name of the address',
  )
}

/** A code; undefined where there are no codes or emails, or no one gets one: that is the finding of another check. */
export async function newOtpIfPossible(
  context: CheckContext,
  account: Pick<Account, 'table' | 'email'>,
): Promise<Otp | undefined> {
  if (!context.has('mail') || !context.has('otp')) return undefined
  return unlessPrevented(() => newOtp(context, account))
}

/** A code for an address that got an email before; undefined also where the target's rates reject a further one. */
export function newOtpUnlessTooMany(
  context: CheckContext,
  account: Pick<Account, 'table' | 'email'>,
): Promise<Otp | undefined> {
  return unlessTooMany(newOtpIfPossible(context, account))
}

export function byOtp(
  { api }: Pick<CheckContext, 'api'>,
  { table }: Pick<Account, 'table'>,
  { otpId, code }: Otp,
  extra: Record<string, unknown> = {},
): Promise<ApiResponse> {
  return api.authWithOtp(table, { otpId, password: code, ...extra })
}

/** The token in the email that the first step of a flow sends, and the response to that step. */
export interface RequestedProof {
  token: string
  response: ApiResponse
}

async function proofOf(
  context: CheckContext,
  { response, received }: Mailed,
  flow: ConfirmationKind,
  { table }: Pick<Account, 'table'>,
): Promise<RequestedProof> {
  return { token: await proofIn(context, received, flow, table.role), response }
}

/** Sends the first step of a flow, as its owner if it must be. */
export async function requestedProof(
  context: CheckContext,
  flow: Flow,
  account: Account | SignedIn,
): Promise<RequestedProof> {
  const mailed = await mailTo(context, account.email, () => askForProof(context, flow, account))
  return proofOf(context, mailed, flow, account)
}

/** The token in the email that the first step of a flow sends. */
export async function flowToken(
  context: CheckContext,
  flow: Flow,
  account: Account | SignedIn,
): Promise<string> {
  return (await requestedProof(context, flow, account)).token
}

/** The token in the email to the new address. */
export async function changeToken(context: CheckContext, session: SignedIn, to: string): Promise<string> {
  return (await requestedChange(context, session, to)).token
}

/** Sends the first step of a change of address. */
export async function requestedChange(
  context: CheckContext,
  session: SignedIn,
  to: string,
): Promise<RequestedProof> {
  const mailed = await mailTo(context, to, () => askForChange(session, to), session.email)
  return proofOf(context, mailed, 'email-change', session)
}

export const emailFlows: readonly ConfirmationKind[] = ['verification', 'password-reset', 'email-change']

/** The proof of a flow of an account. One for each account: a server may limit the emails to one. */
export function flowProof(context: CheckContext, flow: ConfirmationKind, me: SignedIn): Promise<string> {
  return flow === 'email-change' ? changeToken(context, me, newEmail(context)) : flowToken(context, flow, me)
}
