/** What auth-methods reports (standard profile, gap `auth.payloads`). */

import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { signedIn } from '../../shared/auth/sessions.ts'

async function methods({ api, table }: CheckContext, role: string) {
  const response = await api.authMethods(table(role))
  expectStatus(response, 200, 'auth-methods')
  const { password, oauth2, otp, mfa } = objectBody(response)
  return { password, oauth2, otp, mfa }
}

check('auth-methods.shape', async (context) => {
  const members = await methods(context, 'members')
  const { identity } = context.table('members')
  const identityFields = identity === undefined ? ['email', 'username'] : [identity]
  expectEqual(members.password, { enabled: true, identityFields }, 'password of members')
  expectEqual(members.otp, { enabled: true, duration: 180 }, 'otp of members')
  if (context.hasTable('shortlived'))
    expectEqual(
      (await methods(context, 'shortlived')).otp,
      { enabled: true, duration: 10 },
      'otp of the table whose codes end soon',
    )
  if (context.hasTable('oauth')) {
    const { oauth2 } = await methods(context, 'oauth')
    expectEqual(isObject(oauth2) && oauth2.enabled, true, 'enabled of oauth2 of the table with providers')
  }
  expectEqual(
    (await methods(context, 'mfa')).mfa,
    { enabled: true, duration: 600 },
    'mfa of the table with two factors',
  )
})

check('auth-methods.legacy-keys', async ({ api, table }) => {
  for (const [role, email, username] of [
    ['oauth', true, false],
    ['members', true, true],
    ['named', false, true],
  ] as const) {
    const { identity } = table(role)
    const response = await api.authMethods(table(role))
    expectStatus(response, 200, 'auth-methods')
    const { oauth2, authProviders, emailPassword, usernamePassword } = objectBody(response)
    expectEqual(
      [emailPassword, usernamePassword],
      identity === undefined ? [email, username] : [false, identity === 'username'],
      `the sign-in methods of ${role}`,
    )
    const providers = isObject(oauth2) && Array.isArray(oauth2.providers) ? oauth2.providers : []
    for (const { logo } of providers)
      expectThat(
        /^<svg\b[\s\S]*<\/svg>$/.test(String(logo)),
        'a logo is not an image',
        'an svg element',
        logo,
      )
    if (role === 'oauth') expectThat(providers.length > 0, 'no provider is reported', 'at least one', oauth2)
    const repeated = providers.map((each: object) => ({ ...each, logo: '' }))
    expectEqual(authProviders, role === 'oauth' ? repeated : null, `authProviders of ${role}`)
  }
})

check('auth-methods.disabled', async (context) => {
  const staff = await methods(context, 'staff')
  expectEqual(staff.oauth2, { enabled: false, providers: [] }, 'oauth2 where it is disabled')
  expectEqual(staff.otp, { enabled: false, duration: 0 }, 'otp where it is disabled')
  expectEqual(staff.mfa, { enabled: false, duration: 0 }, 'mfa where it is disabled')
  const { password } = await methods(context, 'passwordless')
  expectEqual(password, { enabled: false, identityFields: [] }, 'password where it is disabled')
})

check('auth-methods.any-token', async (context) => {
  const guest = await methods(context, 'members')
  const me = await signedIn(context)
  for (const token of ['nonsense', 'Basic eDp5', me.token]) {
    const response = await context.api.withToken(token, 'any').authMethods(context.table('members'))
    expectStatus(response, 200, 'auth-methods with a token')
    const { password, oauth2, otp, mfa } = objectBody(response)
    expectEqual({ password, oauth2, otp, mfa }, guest, 'the report with a token')
  }
})

check('auth-methods.fields', async ({ api, table }) => {
  const response = await api.authMethods(table('members'), { fields: 'otp,password.enabled' })
  expectStatus(response, 200, 'auth-methods')
  expectEqual(
    response.body,
    { otp: { enabled: true, duration: 180 }, password: { enabled: true } },
    'the report with fields',
  )
})

check('auth-methods.no-auth-table', async ({ api, table }) => {
  expectStatus(
    await api.authMethods(table('plain')),
    404,
    'auth-methods of a table that is not an auth table',
  )
  expectStatus(
    await api.authMethods({ role: '', name: 'conf_missing' }),
    404,
    'auth-methods of a missing table',
  )
})
