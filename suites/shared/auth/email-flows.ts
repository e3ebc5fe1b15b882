/**
 * Emails and what they contain: codes and tokens, read where a person would read them.
 *
 * @module
 */

import { objectsOf } from '../../../exchange/json-object.ts'
import {
  expectSuccess,
  isRejected,
  RateLimitedError,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { textWithoutEcho } from '../../../harness/judging/without-echo.ts'
import type { Api, ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type {
  ConfirmationKind,
  ProofKind,
  ReceivedEmail,
  TableRef,
} from '../../../harness/vocabulary/target.ts'
import { isAboutBody, isAboutPermission } from '../../../spec/status-range.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, isByUsername, newAccount, newEmail, OTHER_PASSWORD } from './accounts.ts'
import { post } from './post.ts'
import { sessionToken } from './session-in.ts'
import { byPassword, type SignedIn, sessionOf } from './sessions.ts'
import { verify } from './verify.ts'

/** An email, and the response to the request that it is for. */
interface Mailed {
  response: ApiResponse
  received: ReceivedEmail
}

/**
 * Runs an action that sends an email, expects success, and returns the email.
 *
 * @param owner address of the account, if the email goes to another one
 */
export async function mailTo(
  { mail }: CheckContext,
  to: string,
  cause: () => Promise<ApiResponse>,
  owner = to,
): Promise<Mailed> {
  const after = await mail.count()
  const response = await cause()
  expectSuccess(response, 'the request for an email')
  return { response, received: await mail.waitFor({ to, after, owner }) }
}

/** The same for two addresses, each with its request. Both are sent at the same time. */
export async function mailsTogether(
  { mail }: CheckContext,
  ...requests: readonly [Mailing, Mailing]
): Promise<[Mailed, Mailed]> {
  const after = await mail.count()
  const [one, other] = requests
  const responses = await Promise.all([one.send(), other.send()])
  for (const response of responses)
    expectSuccess(response, 'one of two requests for an email that were sent together')
  return [
    { response: responses[0], received: await mail.waitFor({ to: one.to, after }) },
    { response: responses[1], received: await mail.waitFor({ to: other.to, after }) },
  ]
}

interface Mailing {
  to: string
  send: () => Promise<ApiResponse>
}

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

/** The email of a second request that is like the one of the first, and its response. Undefined if there is none. */
export async function secondMail(
  { mail }: Pick<CheckContext, 'mail'>,
  kind: ProofKind,
  to: string,
  request: () => Promise<ApiResponse>,
): Promise<Mailed | undefined> {
  const after = await mail.count()
  const response = await unlessTooMany(request())
  if (response?.ok !== true) return undefined
  const received = await mail.another({ to, after, kind })
  return received && { response, received }
}

/** A one-time code that was requested, and the identifier that goes with it. */
export interface Otp {
  otpId: string
  code: string
}

export function requestOtp(context: CheckContext, { table, email }: Pick<Account, 'table' | 'email'>) {
  return context.api.requestOtp(table, { email })
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

/** A request that changes nothing for the check if the target's rates reject it: how many emails there are is left open. */
export async function unlessTooMany<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof RateLimitedError) return undefined
    throw error
  }
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

/** Letters and digits of a code. */
const signs = { all: /[A-Za-z\d]/g, first: /[A-Za-z\d]/, last: /[A-Za-z\d](?=[^A-Za-z\d]*$)/ }

/**
 * A code of the same form that is certainly not the given one.
 *
 * @param which letters and digits differ. @default all
 */
export function otherCode(code: string, which: 'all' | 'first' | 'last' = 'all'): string {
  return code.replace(signs[which], (sign) =>
    /\d/.test(sign)
      ? String((Number(sign) + 1) % 10)
      : /[zZ]/.test(sign)
        ? String.fromCharCode(sign.charCodeAt(0) - 25)
        : String.fromCharCode(sign.charCodeAt(0) + 1),
  )
}

/**
 * The code with one sign more, at its beginning and at its end. The sign is of the kind of its neighbor, and not a zero: a
 * server may remove spaces and marks, and zeros in front.
 */
export function longerCodes(code: string): string[] {
  const more = (neighbor = '') => (/[a-z]/.test(neighbor) ? 'q' : /[A-Z]/.test(neighbor) ? 'Q' : '7')
  return [`${more(code.at(0))}${code}`, `${code}${more(code.at(-1))}`]
}

/** Another way to write the number that a code of digits looks like. Undefined: the code has other signs. */
export function codeAsNumber(code: string): string | undefined {
  return /^\d{2,}$/.test(code) ? `${code[0]}.${code.slice(1)}e${code.length - 1}` : undefined
}

/** Codes of the same form that people and tests choose, and that are not the given one. None where a code has letters. */
export function commonCodes(code: string): string[] {
  if (!/\d/.test(code) || /\p{L}/u.test(code)) return []
  const digits: ((at: number) => number)[] = [() => 0, (at) => (at + 1) % 10, () => 1]
  return digits
    .map((digit) => {
      let at = 0
      return code.replace(/\d/g, () => String(digit(at++)))
    })
    .filter((each) => each !== code)
}

type Flow = 'verification' | 'password-reset'

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

/** Asks for another address. */
export function requestChange({ table, api }: { table: Account['table']; api: Api }, to: string) {
  return api.requestEmailChange(table, { newEmail: to })
}

/** The same, with the password if the target requires it in this step: what the step takes is left open. */
export async function askForChange({ table, api, password }: SignedIn, to: string): Promise<ApiResponse> {
  const response = await requestChange({ table, api }, to)
  return response.ok ? response : api.requestEmailChange(table, { newEmail: to, password })
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
      const ours = await mail.another({ to: me.email, after, kind: 'email-change' })
      if (ours === undefined) return false
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
