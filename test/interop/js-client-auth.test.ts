/**
 * The living family's official client against the reference: anyone who has an application on it can test it here.
 */

import PocketBase, { BaseAuthStore, ClientResponseError } from 'pocketbase'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailedCode, emailedToken } from '../../harness/services/email-reading.ts'
import { type IdentityProvider, startIdentityProvider } from '../../harness/services/identity-provider.ts'
import { type MailSink, startMailSink } from '../../harness/services/mail-sink.ts'
import type { ConfirmationKind } from '../../harness/vocabulary/target.ts'
import { createReference, type Reference } from '../../reference/reference.ts'

const password = 'password1'
const root = { email: 'root@example.com', password: 'rootpass123' }
let reference: Reference
let url: string
let sink: MailSink
let idp: IdentityProvider

beforeAll(async () => {
  ;[sink, idp] = await Promise.all([startMailSink(), startIdentityProvider()])
  const { clientId, clientSecret, authURL, tokenURL, userInfoURL } = idp
  const provider = { name: 'oidc', clientId, clientSecret, authURL, tokenURL, userInfoURL }
  const own = 'id = @request.auth.id'
  const open = {
    type: 'auth' as const,
    listRule: own,
    viewRule: own,
    createRule: '',
    updateRule: own,
    deleteRule: own,
  }
  const otp = { enabled: true, length: 6 }
  reference = createReference({
    prefix: '/api',
    superusers: [root],
    tables: [
      { ...open, name: 'users', otp, oauth2: { enabled: true, providers: [provider] } },
      { ...open, name: 'staff', otp, mfa: { enabled: true } },
    ],
    mail: { smtp: { host: sink.host, port: sink.port } },
    passwordCost: 4,
  })
  ;({ url } = await reference.listen())
})

afterAll(async () => {
  await reference.close()
  await Promise.all([sink.stop(), idp.stop()])
})

/** A client with a session of its own. */
const client = () => new PocketBase(url, new BaseAuthStore()).autoCancellation(false)

async function signUp(table: string, email: string): Promise<PocketBase> {
  const pb = client()
  await pb.collection(table).create({ email, password, passwordConfirm: password })
  return pb
}

/** What an email to an address says, after something that causes it. */
async function emailed(to: string, cause: () => Promise<unknown>) {
  const after = sink.count
  await cause()
  const mail = await sink.waitFor({ to, after })
  return {
    code: emailedCode(mail, { length: 6 }) ?? '',
    token: (kind: ConfirmationKind) => emailedToken(mail, kind) ?? '',
  }
}

/** The error of a call that must be rejected. */
async function rejection(promise: Promise<unknown>): Promise<ClientResponseError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ClientResponseError) return error
  throw new Error(`The call was not refused: ${String(error)}`)
}

describe('the official client', () => {
  test('signs up, verifies, signs in by password and refreshes', async () => {
    const email = 'ann@example.com'
    const pb = await signUp('users', email)
    const { record } = await pb.collection('users').authWithPassword(email, password)
    expect([pb.authStore.isValid, pb.authStore.isSuperuser, record.verified]).toEqual([true, false, false])
    const { token } = await emailed(email, () => pb.collection('users').requestVerification(email))
    await pb.collection('users').confirmVerification(token('verification'))
    expect(pb.authStore.record?.verified).toBe(true)
    const before = pb.authStore.token
    await pb.collection('users').authRefresh()
    expect([pb.authStore.token === before, pb.authStore.record?.verified]).toEqual([false, true])
    expect(await pb.collection('users').getOne(record.id)).toMatchObject({ email })
  })

  test('signs in by one-time code', async () => {
    const email = 'bob@example.com'
    const pb = await signUp('users', email)
    let otpId = ''
    const { code } = await emailed(email, async () => {
      ;({ otpId } = await pb.collection('users').requestOTP(email))
    })
    const { record } = await pb.collection('users').authWithOTP(otpId, code)
    expect([record.email, record.verified, pb.authStore.isValid]).toEqual([email, true, true])
  })

  test('signs in with two factors', async () => {
    const email = 'cid@example.com'
    const pb = await signUp('staff', email)
    const challenge = await rejection(pb.collection('staff').authWithPassword(email, password))
    expect([challenge.status, pb.authStore.isValid]).toEqual([401, false])
    const { mfaId } = challenge.response
    let otpId = ''
    const { code } = await emailed(email, async () => {
      ;({ otpId } = await pb.collection('staff').requestOTP(email))
    })
    await pb.collection('staff').authWithOTP(otpId, code, { mfaId })
    expect(pb.authStore.isValid).toBe(true)
  })

  test('signs in through an identity provider', async () => {
    const pb = client()
    const { oauth2 } = await pb.collection('users').listAuthMethods()
    const [provider] = oauth2.providers
    if (provider === undefined) throw new Error('No provider is listed.')
    const account = { sub: 'dan-1', email: 'dan@example.com', emailVerified: true, name: 'Dan' }
    const redirectURL = 'http://app.test/callback'
    const { code, state } = await idp.authorize(provider.authURL, redirectURL, account)
    expect(state).toBe(provider.state)
    const { record, meta } = await pb
      .collection('users')
      .authWithOAuth2Code('oidc', code, provider.codeVerifier, redirectURL)
    expect([record.email, record.verified, meta?.isNew]).toEqual(['dan@example.com', true, true])
    const [link] = await pb.collection('_externalAuths').getFullList()
    expect(link).toMatchObject({ provider: 'oidc', providerId: 'dan-1' })
  })

  test('resets the password', async () => {
    const email = 'eve@example.com'
    const pb = await signUp('users', email)
    const { token } = await emailed(email, () => pb.collection('users').requestPasswordReset(email))
    await pb.collection('users').confirmPasswordReset(token('password-reset'), 'password2', 'password2')
    expect((await rejection(pb.collection('users').authWithPassword(email, password))).status).toBe(400)
    await pb.collection('users').authWithPassword(email, 'password2')
  })

  test('changes the email address', async () => {
    const [email, next] = ['fay@example.com', 'fay@example.net']
    const pb = await signUp('users', email)
    await pb.collection('users').authWithPassword(email, password)
    const { token } = await emailed(next, () => pb.collection('users').requestEmailChange(next))
    await pb.collection('users').confirmEmailChange(token('email-change'), password)
    expect(pb.authStore.isValid).toBe(false)
    await pb.collection('users').authWithPassword(next, password)
    expect(pb.authStore.record?.verified).toBe(true)
  })

  test('impersonates', async () => {
    const pb = await signUp('users', 'gus@example.com')
    await pb.collection('_superusers').authWithPassword(root.email, root.password)
    expect(pb.authStore.isSuperuser).toBe(true)
    const gus = await pb.collection('users').getFirstListItem('email = "gus@example.com"')
    const other = await pb.collection('users').impersonate(gus.id, 60)
    expect([other.authStore.isValid, other.authStore.record?.id]).toEqual([true, gus.id])
    expect((await other.collection('users').getFullList()).map(({ id }) => id)).toEqual([gus.id])
  })
})
