/**
 * The first steps of the email flows and of the sign-in by code: requests that send an email. What they take, and from whom, is
 * left open.
 *
 * @module
 */

import { isRejected, UntestableError } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { isAboutBody, isAboutPermission } from '../../../spec/status-range.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, newAccount } from './accounts.ts'
import { post } from './post.ts'
import { type SignedIn, sessionOf } from './sessions.ts'
import { verify } from './verify.ts'

export function requestOtp(context: CheckContext, { table, email }: Pick<Account, 'table' | 'email'>) {
  return context.api.requestOtp(table, { email })
}

export type Flow = 'verification' | 'password-reset'

export function requestFlow(
  { api }: Pick<CheckContext, 'api'>,
  flow: Flow,
  { table, email }: Pick<Account, 'table' | 'email'>,
) {
  const body = { email }
  return flow === 'verification'
    ? api.requestVerification(table, body)
    : api.requestPasswordReset(table, body)
}

/**
 * Whether only verified accounts may reset their passwords, as with Amazon Cognito: the document does not say. A new account
 * shows it, once for each table: its request is rejected until it is verified.
 */
export function isResetForVerified(context: CheckContext, role: string): Promise<boolean> {
  // Of the profile, any account may.
  if (context.claimsProfile) return Promise.resolve(false)
  return context.once(`only verified accounts of ${role} reset their passwords`, async () => {
    const account = await unlessPrevented(() => newAccount(context, role))
    if (account === undefined) return false
    const request = () => requestFlow(context, 'password-reset', account)
    if (!isRejected(await request()) || !(await verify(context, account))) return false
    return (await request()).ok
  })
}

/**
 * Verifies the account where its password cannot be reset before.
 *
 * @throws UntestableError if it cannot be verified, although another account was
 */
export async function verifyForReset(context: CheckContext, account: Account): Promise<void> {
  const { table, email } = account
  if (!(await isResetForVerified(context, table.role))) return
  // An id may be used again, and be one of another table as well.
  if (await context.once(`${email} of ${table.role} is verified for a reset`, () => verify(context, account)))
    return
  throw new UntestableError(
    `only verified accounts of ${table.name} reset their passwords, and an account could not be verified`,
    'set the credentials of a superuser who can set `verified` of an account',
  )
}

/**
 * Sends the first step of a flow, as the account itself if a guest is rejected: the document does not say who may request an
 * email.
 */
export async function askForProof(
  context: CheckContext,
  flow: Flow,
  account: Account | SignedIn,
): Promise<ApiResponse> {
  if (flow === 'password-reset') await verifyForReset(context, account)
  const response = await requestFlow(context, flow, account)
  const isSessionNeeded = isAboutPermission(response.status)
  // A server may take the address from the session, and reject it in the body.
  const isAddressRejected = flow === 'verification' && isAboutBody(response.status)
  if (!isSessionNeeded && !isAddressRejected) return response
  const me = 'api' in account ? account : await unlessPrevented(() => sessionOf(context, account))
  if (me === undefined) return response
  const asOwner = isSessionNeeded ? await requestFlow(me, flow, account) : response
  if (asOwner.ok || flow !== 'verification' || !isAboutBody(asOwner.status)) return asOwner
  const withoutAddress = await post(me.api, account.table, 'request-verification', {})
  return withoutAddress.ok ? withoutAddress : asOwner
}

/** Asks for another address. */
export function requestChange({ table, api }: { table: Account['table']; api: Api }, to: string) {
  return api.requestEmailChange(table, { newEmail: to })
}

/** The same, with the password if the target requires it in this step: what the step takes is left open. */
export async function askForChange({ table, api, password }: SignedIn, to: string): Promise<ApiResponse> {
  const response = await requestChange({ table, api }, to)
  return response.ok ? response : api.requestEmailChange(table, { newEmail: to, password })
}
