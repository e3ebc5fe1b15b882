import { expect, it } from 'vitest'
import { withProvider } from './with-provider.ts'

const facts = {
  issuer: 'http://provider.test',
  clientId: 'client',
  clientSecret: 'secret',
  authURL: 'http://provider.test/authorize',
  tokenURL: 'http://provider.test/token',
  userInfoURL: 'http://provider.test/user',
  jwksURL: 'http://provider.test/keys',
}

it('gives tables a provider where OAuth 2.0 is on and where it is off', () => {
  const tables = withProvider(
    [
      { name: 'on', type: 'auth', oauth2: { enabled: true } },
      { name: 'off', type: 'auth', oauth2: { enabled: false } },
      { name: 'none', type: 'auth' },
    ],
    facts,
  )
  expect(tables.map(({ oauth2 }) => [oauth2?.enabled, oauth2?.providers?.map(({ name }) => name)])).toEqual([
    [true, ['oidc', 'oidc2']],
    [false, ['oidc', 'oidc2']],
    [undefined, undefined],
  ])
})
