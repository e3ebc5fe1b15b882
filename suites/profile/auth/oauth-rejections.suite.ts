/** What is rejected about a provider (standard profile, gaps `oauth2.fields` and `auth.statuses`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectStatus } from '../../../harness/judging/expect.ts'
import { expectNoToken } from '../../shared/auth/expect-session.ts'
import { byProvider, newProviderPerson, oauthBody, partsOf, visitProvider } from '../../shared/auth/oauth.ts'
import { post } from '../../shared/auth/post.ts'
import { fieldErrorCodes, fieldErrorParams } from '../../shared/records/field-errors.ts'

const ACTION = 'auth-with-oauth2'

check('oauth2.off', async ({ api, table }) => {
  const body = { provider: 'oidc', code: 'x', codeVerifier: 'x', redirectURL: 'http://app.example.com' }
  for (const sent of [body, {}])
    expectStatus(
      await post(api, table('members'), ACTION, sent),
      403,
      'a sign-in through a provider where it is disabled',
    )
})

check('oauth2.missing', async ({ api, table }) => {
  for (const key of ['provider', 'code']) {
    const response = await post(api, table('oauth'), ACTION, {
      provider: 'oidc',
      code: 'x',
      [key]: undefined,
    })
    expectStatus(response, 400, `a sign-in through a provider without ${key}`)
    expectEqual(fieldErrorCodes(response)[key], 'validation_required', `data.${key}.code`)
  }
})

check('oauth2.provider-invalid', async ({ api, table }) => {
  for (const provider of ['google', 'nosuchprovider']) {
    const response = await post(api, table('oauth'), ACTION, { provider, code: 'x' })
    expectStatus(response, 400, `the provider ${provider}`)
    expectEqual(fieldErrorCodes(response).provider, 'validation_invalid_provider', 'data.provider.code')
    expectEqual(fieldErrorParams(response).provider, { name: provider }, 'data.provider.params')
  }
})

check('oauth2.provider-fails', async (context) => {
  for (const wrong of ['token-error', 'no-access-token', 'userinfo-error']) {
    const person = newProviderPerson(context)
    const response = await byProvider(context, person, { wrong })
    expectStatus(response, 400, `a sign-in after ${wrong}`)
    expectNoToken(response, `a sign-in after ${wrong}`)
    expectEqual(
      partsOf(await byProvider(context, person)).meta.isNew,
      true,
      `isNew of the sign-in after ${wrong}`,
    )
  }
  const denied = await visitProvider(context, newProviderPerson(context), { wrong: 'denied' })
  expectEqual(
    [denied.code, denied.error],
    ['', 'access_denied'],
    "the provider's response to a denied consent",
  )
  expectStatus(
    await post(context.api, context.table('oauth'), ACTION, oauthBody(denied)),
    400,
    'a sign-in without a code',
  )
})

check('oauth2.id-token', async (context) => {
  const provider = 'oidc2'
  for (const wrong of ['bad-signature', 'other-audience', 'expired-id-token', 'no-id-token']) {
    const person = newProviderPerson(context)
    const response = await byProvider(context, person, { provider, wrong })
    expectStatus(response, 400, `a sign-in with ${wrong}`)
    const fine = partsOf(await byProvider(context, person, { provider }))
    expectEqual(
      [fine.meta.id, fine.meta.isNew],
      [person.sub, true],
      `id and isNew of the sign-in after ${wrong}`,
    )
  }
})

check('oauth2.no-subject', async (context) => {
  const person = newProviderPerson(context)
  const { sub: _sub, ...noOne } = person
  expectStatus(await byProvider(context, noOne), 400, 'an account without a subject')
  expectEqual(partsOf(await byProvider(context, person)).meta.isNew, true, 'isNew of the sign-in after it')
})
