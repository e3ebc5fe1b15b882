/** The sign-in and email endpoints exist (document 4.2). */

import { check } from '../../../harness/check.ts'
import { methodsIn } from '../../../harness/explore/reported-methods.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { type Account, newAccount, newEmail, OTHER_PASSWORD } from '../../shared/auth/accounts.ts'
import { NO_PROOF } from '../../shared/auth/confirm-flows.ts'
import { unlessTooMany } from '../../shared/auth/mailed.ts'
import { admittedPerson, byProvider } from '../../shared/auth/oauth.ts'
import { post } from '../../shared/auth/post.ts'
import { type SignedIn, signedIn } from '../../shared/auth/sessions.ts'
import { offersProvider } from '../../shared/auth/sign-in-by-provider.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { type Attempt, expectOperation } from '../expect-operation.ts'

/** The requests: for an account of the run if one can be created, otherwise for an account that does not exist. */
const requests: Readonly<
  Record<
    string,
    (
      api: Api,
      me: Pick<Account, 'table' | 'email' | 'password'>,
      context: CheckContext,
    ) => Promise<ApiResponse>
  >
> = {
  'auth-with-password': (api, { table, email, password }) =>
    api.authWithPassword(table, { identity: email, password }),
  'auth-with-oauth2': (api, { table }) =>
    api.authWithOAuth2(table, {
      provider: 'no-such-provider',
      code: NO_PROOF,
      codeVerifier: NO_PROOF,
      redirectURL: 'https://app.example.com/callback',
    }),
  'request-otp': (api, { table, email }) => api.requestOtp(table, { email }),
  'auth-with-otp': (api, { table }) => api.authWithOtp(table, { otpId: NO_PROOF, password: NO_PROOF }),
  'auth-refresh': (api, { table }) => api.authRefresh(table),
  'request-verification': (api, { table, email }) => api.requestVerification(table, { email }),
  'confirm-verification': (api, { table }) => api.confirmVerification(table, { token: NO_PROOF }),
  'request-password-reset': (api, { table, email }) => api.requestPasswordReset(table, { email }),
  'confirm-password-reset': (api, { table, password }) =>
    api.confirmPasswordReset(table, { token: NO_PROOF, password, passwordConfirm: password }),
  'request-email-change': (api, { table }, context) =>
    api.requestEmailChange(table, { newEmail: newEmail(context) }),
  'confirm-email-change': (api, { table, password }) =>
    api.confirmEmailChange(table, { token: NO_PROOF, password }),
}

/** A whole sign-in through the provider, where there is one: some servers show the endpoint to no one else. */
async function bySomeone(context: CheckContext): Promise<ApiResponse | undefined> {
  if (!offersProvider(context)) return undefined
  return unlessPrevented(async () => byProvider(context, await admittedPerson(context)))
}

/** What gives the proof that an endpoint takes. */
const givesProof: Readonly<Record<string, string>> = {
  'auth-with-otp': 'request-otp',
  'confirm-verification': 'request-verification',
  'confirm-password-reset': 'request-password-reset',
  'confirm-email-change': 'request-email-change',
}

for (const [name, send] of Object.entries(requests))
  check(`operation.${name}`, async (context) => {
    const { api } = context
    const { table, me } = await place(name, context)
    const of = me ?? { table, email: newEmail(context), password: OTHER_PASSWORD }
    const mayBeHidden = () => takesProofs(name, context, table, me)
    const attempts: Attempt[] = [...(me === undefined ? [] : [me.api]), api].flatMap((as) => [
      { as, send: (sender) => send(sender, of, context), mayBeHidden },
      // Some servers respond in the same way to a missing path and to a made-up value: here no value is sent.
      { as, send: (sender) => post(sender, table, name, {}), mayBeHidden },
    ])
    if (name === 'auth-with-oauth2')
      attempts.push({ as: api, send: () => unlessTooMany(bySomeone(context)), mayBeHidden })
    await expectOperation(name, 'POST', (other) => api.path.auth(table, other), attempts)
  })

/**
 * Whether an endpoint may respond to a made-up proof as to a path that does not exist. If the first step of the flow
 * exists, the checks of the flow show whether this endpoint does.
 */
async function takesProofs(
  name: string,
  context: CheckContext,
  table: TableRef,
  me: SignedIn | undefined,
): Promise<boolean> {
  if (name === 'auth-with-oauth2')
    return methodsIn((await context.api.authMethods(table)).body, context.binding).oauth2 === true
  const first = requests[givesProof[name] ?? '']
  if (first === undefined) return false
  return me === undefined || (await first(me.api, me, context)).ok
}

check('operation.list-auth-methods', async ({ api, table }) => {
  const members = table('members')
  await expectOperation('auth-methods', 'GET', (other) => api.path.auth(members, other), [
    { as: api, send: (sender) => sender.authMethods(members) },
  ])
})

check('operation.impersonate', async (context) => {
  const { api } = context
  const table = context.table('members')
  const account = await unlessPrevented(() => newAccount(context))
  const id = account?.id ?? 'nobody'
  await expectOperation('impersonate', 'POST', (other) => api.path.auth(table, `${other}/${id}`), [
    {
      as: api.as('superuser'),
      send: (sender) => sender.impersonate(table, id, {}),
      // A server may respond alike for an account that does not exist, or that it has not stored.
      mayBeHidden: async () => account === undefined || !(await api.as('superuser').view(table, id)).ok,
    },
  ])
})

/** The table for a request: one with a provider for a sign-in through a provider, otherwise one with accounts. */
async function place(name: string, context: CheckContext) {
  if (name === 'auth-with-oauth2' && context.hasTable('oauth'))
    return { table: context.table('oauth'), me: undefined }
  return { table: context.table('members'), me: await mine(context) }
}

/** Undefined if no one may sign up, or in: whether an endpoint exists can be tested without an account. */
function mine(context: CheckContext): Promise<SignedIn | undefined> {
  return unlessPrevented(() => context.once('operations: account', () => signedIn(context)))
}
