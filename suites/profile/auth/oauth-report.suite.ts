/** What auth-methods reports about providers (standard profile, gap `oauth2.fields`). */

import { createHash } from 'node:crypto'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { providersOf } from '../../shared/auth/oauth.ts'

const KEYS = [
  'name',
  'displayName',
  'state',
  'authURL',
  'codeVerifier',
  'codeChallenge',
  'codeChallengeMethod',
] as const

/** The providers of a table that has some. */
async function reportedProviders(api: Api, table: TableRef) {
  const providers = await providersOf(api, table)
  expectThat(providers.length > 0, 'no provider is reported', 'at least one', providers)
  return providers
}

check('oauth2.provider-entry', async ({ api, table }) => {
  const providers = await reportedProviders(api, table('oauth'))
  for (const provider of providers) {
    for (const key of KEYS) {
      const value = provider[key]
      expectThat(
        typeof value === 'string' && value !== '',
        `a provider lacks \`${key}\``,
        'a string',
        provider,
      )
    }
    expectThat(
      !('clientSecret' in provider),
      'a provider entry contains its secret',
      'no clientSecret',
      Object.keys(provider),
    )
  }
})

check('oauth2.challenge', async ({ api, table }) => {
  for (const provider of await reportedProviders(api, table('oauth'))) {
    const { authURL, codeVerifier, codeChallenge, codeChallengeMethod, state } = provider
    expectThat(typeof codeVerifier === 'string', 'a provider has no codeVerifier', 'a string', provider)
    expectThat(
      typeof authURL === 'string' && URL.canParse(authURL),
      'authURL is not an address',
      'an absolute URL',
      authURL,
    )
    const hash = createHash('sha256').update(codeVerifier).digest('base64url')
    expectEqual([codeChallenge, codeChallengeMethod], [hash, 'S256'], 'codeChallenge and its method')
    expectThat(
      authURL.endsWith('redirect_uri='),
      'authURL does not end with an open redirect URL',
      '…redirect_uri=',
      authURL,
    )
    const query = new URL(authURL).searchParams
    expectEqual(
      ['code_challenge', 'code_challenge_method', 'response_type', 'state'].map((name) => query.get(name)),
      [hash, 'S256', 'code', state],
      'challenge, method, response type and state in authURL',
    )
    expectThat(
      (query.get('client_id') ?? '') !== '' && (query.get('scope') ?? '').includes('openid'),
      'authURL lacks client or scope',
      'both',
      authURL,
    )
  }
})

check('oauth2.fresh-state', async ({ api, table }) => {
  const one = await reportedProviders(api, table('oauth'))
  const other = await reportedProviders(api, table('oauth'))
  for (const [at, provider] of one.entries()) {
    for (const key of ['state', 'codeVerifier'] as const)
      expectThat(provider[key] !== other[at]?.[key], `two reports contain the same ${key}`, 'two', key)
  }
})
