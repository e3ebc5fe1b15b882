/**
 * Valid sign-in and email requests, each about an account of its own, and what a rejected one must leave as it was. Where
 * the run gets no emails or has no identity provider, the request carries an invented proof. The server rejects it, but
 * still parses the rest.
 *
 * @module
 */

import { expectEqual, expectRejection, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import { proofKindOf } from '../../../harness/services/proof-book.ts'
import type { Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ProofKind } from '../../../harness/vocabulary/target.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { ablest } from '../auth/ablest.ts'
import { type Account, addressOf, newAccount, newEmail, OTHER_PASSWORD, PASSWORD } from '../auth/accounts.ts'
import { isConfirmedByOwner, NO_PROOF, resetBody } from '../auth/confirm-flows.ts'
import { flowProof, newOtp, rehearse } from '../auth/email-flows.ts'
import { admittedPerson, oauthBody, visitProvider } from '../auth/oauth.ts'
import { sessionToken } from '../auth/session-in.ts'
import {
  accountToSignIn,
  byPassword,
  firstSignIn,
  refreshed,
  type SignedIn,
  sessionOf,
  withSession,
} from '../auth/sessions.ts'
import { offersProvider } from '../auth/sign-in-by-provider.ts'
import { itemsOf } from '../lists/items-of.ts'
import { equals } from '../lists/shared-records.ts'
import { isPrevention, unlessPrevented } from '../unless-prevented.ts'
import type { ValidRequest } from './derived-property.ts'
import { draftOf } from './valid-record-request.ts'

export type AccountOperation = Exclude<
  OperationId,
  'listRecords' | 'viewRecord' | 'createRecord' | 'updateRecord' | 'deleteRecord' | 'batch'
>

const secrets = [PASSWORD, OTHER_PASSWORD]

/** What a target was found not to give: it is not requested again, since waiting for an email takes long. */
export interface Proofs {
  missing?: boolean
}

type Me = Account | SignedIn

/** Most of the requests are rejected with a right proof. Unless it is known, each would make the run wait for another one. */
async function emailedProof(context: CheckContext, kind: ProofKind, me: Me): Promise<Body> {
  await rehearse(context, kind, me.table.role)
  if (kind !== 'code') return { token: await flowProof(context, kind, me as SignedIn) }
  const { otpId, code } = await newOtp(context, me)
  return { otpId, password: code }
}

/** The body of a valid request but for its proof, by the names of the description. */
const bodies: Partial<Record<AccountOperation, (context: CheckContext, me: Me) => Body | Promise<Body>>> = {
  authWithPassword: (_, { email, password }) => ({ identity: email, password }),
  requestOtp: (_, { email }) => ({ email }),
  authWithOtp: () => ({ otpId: NO_PROOF, password: NO_PROOF }),
  impersonate: () => ({ duration: 60 }),
  requestVerification: (_, { email }) => ({ email }),
  confirmVerification: () => ({ token: NO_PROOF }),
  requestPasswordReset: (_, { email }) => ({ email }),
  confirmPasswordReset: async (context, { table }) => ({
    token: NO_PROOF,
    ...(await resetBody(context, table, OTHER_PASSWORD)),
  }),
  requestEmailChange: (context) => ({ newEmail: newEmail(context) }),
  confirmEmailChange: () => ({ token: NO_PROOF, password: PASSWORD }),
}

/** Operations that are requested with the token of the account. */
const asOwner: readonly OperationId[] = ['authRefresh', 'requestEmailChange']
/** Operations about accounts that have signed in: what signs in afterwards must have done so before. */
const signedInFirst: readonly OperationId[] = [...asOwner, 'confirmPasswordReset', 'confirmEmailChange']

export async function validAccountRequest(
  context: CheckContext,
  id: AccountOperation,
  proofs: Proofs = {},
): Promise<ValidRequest> {
  if (id === 'listAuthMethods') {
    const path = { table: context.table('members').name }
    return { as: context.api, secrets, draft: draftOf(id, path) }
  }
  if (id === 'authWithOAuth2') return validProviderRequest(context, proofs)
  const account = id === 'authWithOtp' ? await accountToSignIn(context) : await newAccount(context)
  const emailed = proofKindOf(id, 'confirm')
  // The document leaves open who confirms.
  const isOwnFlow = emailed === 'verification' || emailed === 'email-change'
  const isAsOwner =
    asOwner.includes(id) || (isOwnFlow && (await isConfirmedByOwner(context, emailed, account)))
  const needsSession = isAsOwner || signedInFirst.includes(id) || !context.knows('superuser')
  let session = needsSession ? await sessionOf(context, account) : undefined
  let me: Me = session ?? account
  const offered = context.has('mail') && (id !== 'authWithOtp' || context.has('otp'))
  const proof =
    emailed && offered ? await obtained(proofs, () => emailedProof(context, emailed, me)) : undefined
  // An account may have to be verified before its first sign-in.
  const isByPassword = id === 'authWithPassword' && session === undefined
  const signIn = isByPassword ? await obtained(proofs, () => firstSignIn(context, account)) : undefined
  const body = await bodies[id]?.(context, me)
  const draft = draftOf(
    id,
    { table: me.table.name, ...(id === 'impersonate' && { id: me.id }) },
    body && { ...body, ...proof },
  )
  const asSent = () => {
    const token = isAsOwner ? session?.token : undefined
    return token === undefined ? draft : { ...draft, headers: { ...draft.headers, authorization: token } }
  }
  const before = await ownRecord(context, me)
  const other = await bystander(context)
  const done = await doneBy(context, id, me, { ...body, ...proof })
  const valid: ValidRequest = {
    as: id === 'impersonate' ? context.api.as('superuser') : context.api,
    secrets,
    proven: (emailed === undefined || proof !== undefined) && (!isByPassword || signIn !== undefined),
    ...(done && { done }),
    draft: asSent(),
    async unchanged(_, what) {
      expectEqual(kept(await ownRecord(context, me)), kept(before), `email and verified after ${what}`)
      await expectUntouched(context, other, what)
      if (session === undefined) return
      const token = await refreshed(context, session)
      expectThat(token !== undefined, `after ${what} the session has ended`, 'alive', 'ended')
      goOn(token)
      if (id !== 'confirmPasswordReset') return
      const again = await byPassword(context, me)
      expectSuccess(again, `a sign-in with the former password after ${what}`)
      // Where an account has one session at a time, this has ended the other one.
      goOn(sessionToken(again) ?? token)
    },
  }
  const goOn = (token: string) => {
    session = withSession(context, account, token)
    me = session
    valid.draft = asSent()
  }
  return valid
}

/** An account that no request is about, with a session that goes on, as it was at first. */
interface Bystander {
  me: SignedIn
  before: unknown
  /** Whether a refresh continues its session: only then does a later one show that the session has not ended. */
  refreshes: boolean
}

function bystander(context: CheckContext): Promise<Bystander> {
  return context.once('derived: another account with a session', async () => {
    const signedIn = await sessionOf(context, await newAccount(context))
    const token = context.mayExist('authRefresh')
      ? await unlessPrevented(() => refreshed(context, signedIn))
      : undefined
    // A refresh may have ended the token before it.
    const me = token === undefined ? signedIn : withSession(context, signedIn, token)
    return { me, before: kept(await ownRecord(context, me)), refreshes: token !== undefined }
  })
}

async function expectUntouched(context: CheckContext, other: Bystander, what: string): Promise<void> {
  const { me, before, refreshes } = other
  expectEqual(
    kept(await ownRecord(context, me)),
    before,
    `email and verified of another account after ${what}`,
  )
  if (!refreshes) return
  const token = await refreshed(context, me)
  expectThat(
    token !== undefined,
    `after ${what} the session of another account can no longer be refreshed`,
    'a refresh as before',
    'a rejection',
  )
  other.me = withSession(context, me, token)
}

/** What shows that the request was carried out: an email, what a confirmation changes, or a code that is used up. */
async function doneBy(
  context: CheckContext,
  id: AccountOperation,
  me: Me,
  body: Body = {},
): Promise<ValidRequest['done']> {
  if (id.startsWith('request') && context.has('mail')) {
    const to = String(body.newEmail ?? me.email)
    const after = await context.mail.count()
    return async () => void (await context.mail.waitFor({ to, after, owner: me.email }))
  }
  if (id === 'confirmVerification')
    return async (what) =>
      expectEqual((await ownRecord(context, me))?.verified, true, `\`verified\` after ${what}`)
  if (id === 'confirmPasswordReset')
    return async (what) =>
      expectSuccess(
        await byPassword(context, { ...me, password: OTHER_PASSWORD }),
        `a sign-in with the new password after ${what}`,
      )
  if (id === 'confirmEmailChange')
    return async (what) => {
      const record = await ownRecord(context, me)
      if (record !== undefined)
        expectThat(
          addressOf(record.email) !== addressOf(me.email),
          `the record has its former address after ${what}`,
          'the new address',
          record.email,
        )
    }
  if (id === 'authWithOtp')
    return async (what) =>
      expectRejection(await context.api.authWithOtp(me.table, body), `the same code again after ${what}`)
  return undefined
}

async function validProviderRequest(context: CheckContext, proofs: Proofs): Promise<ValidRequest> {
  const table = context.table(context.hasTable('oauth') ? 'oauth' : 'members')
  const visit = async () => {
    const person = await admittedPerson(context)
    return { email: person.email, returned: await visitProvider(context, person, { table }) }
  }
  const visited = offersProvider(context) ? await obtained(proofs, visit) : undefined
  const proof = visited?.returned ?? {
    provider: 'no-such-provider',
    code: NO_PROOF,
    codeVerifier: NO_PROOF,
    redirectURL: 'https://app.example.com/callback',
  }
  const draft = draftOf('authWithOAuth2', { table: table.name }, oauthBody(proof))
  return {
    as: context.api,
    secrets,
    draft,
    proven: visited !== undefined,
    async done(what) {
      if (visited === undefined || !context.knows('superuser')) return
      const filter = equals(context, table, 'email', visited.email)
      const accounts = itemsOf(await context.api.as('superuser').list(table, { filter }))
      expectEqual(accounts.length, 1, `the number of accounts with the address of the sign-in after ${what}`)
    },
  }
}

/** Undefined if the target does not give it: what is missing is for other checks to say. */
async function obtained<T>(proofs: Proofs, get: () => Promise<T>): Promise<T | undefined> {
  if (proofs.missing === true) return undefined
  try {
    return await get()
  } catch (error) {
    if (!isPrevention(error)) throw error
    proofs.missing = true
    return undefined
  }
}

/** The account as a superuser sees it, or its owner. */
async function ownRecord(context: CheckContext, me: Me): Promise<WireRecord | undefined> {
  const { api, knows } = context
  const isOwner = !knows('superuser') && 'api' in me
  const view = await ablest(context, isOwner ? me.api : api).view(me.table, me.id)
  if (view.ok) return view.body as WireRecord
  if (!isOwner) return undefined
  // Where an account has one session at a time, a later sign-in has ended this one.
  const token = sessionToken(await byPassword(context, me))
  if (token === undefined) return undefined
  const again = await api.withToken(token, 'user').view(me.table, me.id)
  return again.ok ? (again.body as WireRecord) : undefined
}

function kept(record: WireRecord | undefined): unknown {
  return record && [addressOf(record.email), record.verified]
}
