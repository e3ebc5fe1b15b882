/**
 * The second steps of the email flows: confirmations with the proof in an email. What they take, and from whom, is left open.
 *
 * @module
 */

import { isRejected } from '../../../harness/judging/expect.ts'
import { textWithoutEcho } from '../../../harness/judging/without-echo.ts'
import type { Api, ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ConfirmationKind, ReceivedEmail, TableRef } from '../../../harness/vocabulary/target.ts'
import { isAboutPermission } from '../../../spec/status-range.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, isByUsername, newAccount, newEmail, OTHER_PASSWORD } from './accounts.ts'
import { mailTo, unlessTooMany } from './mailed.ts'
import { post } from './post.ts'
import { askForChange } from './request-flows.ts'
import { sessionToken } from './session-in.ts'
import { byPassword, type SignedIn, sessionOf } from './sessions.ts'

/** A value that is not a valid proof. */
export const NO_PROOF = 'not-the-proof'

type OwnFlow = Exclude<ConfirmationKind, 'password-reset'>

/** The second step of a flow of an account that can sign in, with a proof. */
const ownSteps: Record<OwnFlow, (api: Api, account: Account, token: string) => Promise<ApiResponse>> = {
  verification: (api, { table }, token) => api.confirmVerification(table, { token }),
  'email-change': (api, { table, password }, token) => api.confirmEmailChange(table, { token, password }),
}

/**
 * Whether the second step needs the session of the account as well as the proof: the document does not say who sends it. A
 * made-up proof shows it, once for each table: a guest gets another response than the account.
 */
export function isConfirmedByOwner(context: CheckContext, flow: OwnFlow, account: Account): Promise<boolean> {
  // Of the profile, a guest confirms.
  if (context.claimsProfile) return Promise.resolve(false)
  const { role } = account.table
  return context.once(`${flow} of ${role} is confirmed by the account itself`, async () => {
    const step = ownSteps[flow]
    if (!isAboutPermission((await step(context.api, account, NO_PROOF)).status)) return false
    const me = await unlessPrevented(async () => sessionOf(context, await newAccount(context, role)))
    if (me === undefined) return false
    const [asGuest, asOwner] = [await step(context.api, me, NO_PROOF), await step(me.api, me, NO_PROOF)]
    return asOwner.status < 500 && wordsOf(asOwner) !== wordsOf(asGuest)
  })
}

/** The status and the words of a response, without what may differ from one to the next: times and identifiers. */
function wordsOf({ status, text }: ApiResponse): string {
  return `${status} ${text.replace(/[\w.:-]*\d[\w.:-]*/g, '')}`
}

async function confirmOwn(
  context: CheckContext,
  flow: OwnFlow,
  account: Account | SignedIn,
  token: string,
): Promise<ApiResponse> {
  const step = ownSteps[flow]
  if (!(await isConfirmedByOwner(context, flow, account))) return step(context.api, account, token)
  const me = 'api' in account ? account : await sessionOf(context, account)
  return step(me.api, account, token)
}

export function confirmVerification(context: CheckContext, account: Account | SignedIn, token: string) {
  return confirmOwn(context, 'verification', account, token)
}

/**
 * The new password as the second step of a reset takes it: twice, or once where the server rejects the second key by its
 * name. What the step takes is left open: it is tried once a run, with a value that is not a valid proof.
 */
export async function resetBody(
  { api, binding, once }: CheckContext,
  table: TableRef,
  password: string,
): Promise<{ password: string; passwordConfirm?: string }> {
  const twice = { password, passwordConfirm: password }
  const name = binding['passwordReset.passwordConfirm'] ?? 'passwordConfirm'
  // The target file says that there is no second key: none is sent.
  if (name === '') return twice
  const isRejectedByName = await once('a reset with the password twice', async () => {
    const response = await api.confirmPasswordReset(table, { token: NO_PROOF, ...twice })
    return isRejected(response) && textWithoutEcho(response).includes(name)
  })
  return isRejectedByName ? { password } : twice
}

/** @param extra keys that are sent as well */
export async function confirmReset(
  context: CheckContext,
  { table }: Pick<Account, 'table'>,
  token: string,
  password: string,
  extra: Body = {},
): Promise<ApiResponse> {
  const body = { ...extra, token, ...(await resetBody(context, table, password)) }
  return 'passwordConfirm' in body
    ? context.api.confirmPasswordReset(table, body)
    : post(context.api, table, 'confirm-password-reset', body)
}

/**
 * The second step of a change of address. Where both addresses confirm it, with the newest proof that went to the old one as
 * well.
 *
 * @param account with its address before the change
 */
export async function confirmChange(
  context: CheckContext,
  account: Account | SignedIn,
  token: string,
): Promise<ApiResponse> {
  const response = await confirmOwn(context, 'email-change', account, token)
  if (!response.ok || !(await unlessTooMany(isConfirmedByBoth(context, account.table)))) return response
  const other = await newestProof(context, account.email)
  const last = other === undefined ? response : await confirmOwn(context, 'email-change', account, other)
  // It may have counted before.
  return last.ok ? last : response
}

/**
 * Whether the old address confirms a change as well as the new one, as with Supabase: the document does not say. An account
 * of its own shows it, once for each table: the address changes with the second of two proofs.
 */
function isConfirmedByBoth(context: CheckContext, table: TableRef): Promise<boolean> {
  const { mail } = context
  const { role } = table
  // Of the profile, the new address confirms. Where a username signs in, no sign-in shows the address.
  const isKnown = context.claimsProfile || !context.has('mail') || isByUsername(table)
  if (isKnown) return Promise.resolve(false)
  return context.once(`a change of address in ${role} is confirmed by both addresses`, async () => {
    const isShown = await unlessPrevented(async () => {
      const me = await sessionOf(context, await newAccount(context, role))
      const [to, after] = [newEmail(context), await mail.count()]
      const isChanged = async () =>
        sessionToken(await byPassword(context, { ...me, email: to })) !== undefined
      const { received } = await mailTo(context, to, () => askForChange(me, to), me.email)
      const first = await confirmOwn(context, 'email-change', me, mail.token(received, 'email-change'))
      if (!first.ok || (await isChanged())) return false
      // The text to the old address may be another one.
      const ours = await mail.waitFor({ to: me.email, after })
      await confirmOwn(context, 'email-change', me, mail.token(ours, 'email-change'))
      return isChanged()
    })
    return isShown === true
  })
}

/** The proof in the newest email about a change that went to an address. */
async function newestProof({ mail }: CheckContext, to: string): Promise<string | undefined> {
  let newest: ReceivedEmail | undefined
  const next = () => mail.another({ to, after: newest?.number ?? 0, kind: 'email-change' })
  for (let found = await next(); found !== undefined; found = await next()) newest = found
  return newest && mail.token(newest, 'email-change')
}

const confirms = {
  verification: confirmVerification,
  'password-reset': (context: CheckContext, account: Account, token: string) =>
    confirmReset(context, account, token, OTHER_PASSWORD),
  'email-change': confirmChange,
}

/** The second step of a flow, with a proof. A reset sets `OTHER_PASSWORD`. */
export function confirmFlow(
  context: CheckContext,
  flow: ConfirmationKind,
  account: Account,
  token: string,
): Promise<ApiResponse> {
  return confirms[flow](context, account, token)
}
