import { expect, test } from 'vitest'
import { createReference } from '../../reference.ts'

const provider = (name: string, more = {}) => ({ name, clientId: 'id', clientSecret: 'secret', ...more })

async function listed(providers: ReturnType<typeof provider>[]) {
  const reference = createReference({
    tables: [{ name: 'users', type: 'auth', fields: [], oauth2: { enabled: true, providers } }],
  })
  const response = await reference.fetch('/api/v1/collections/users/auth-methods')
  const { oauth2 } = (await response.json()) as {
    oauth2: { providers: { authURL: string; displayName: string; codeChallenge: string }[] }
  }
  return { notices: reference.notices, providers: oauth2.providers }
}

test('a public provider has its address, its scopes and its name', async () => {
  const { providers } = await listed([provider('google'), provider('apple'), provider('bitbucket')])
  const [google, apple, bitbucket] = providers.map(({ authURL }) => new URL(authURL))
  expect(providers.map(({ displayName }) => displayName)).toEqual(['Google', 'Apple', 'Bitbucket'])
  expect(`${google?.origin}${google?.pathname}`).toBe('https://accounts.google.com/o/oauth2/v2/auth')
  expect(google?.searchParams.get('scope')).toBe(
    'https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email',
  )
  expect(apple?.searchParams.get('response_mode')).toBe('form_post')
  expect(providers.map(({ codeChallenge }) => codeChallenge !== '')).toEqual([true, true, false])
  expect(bitbucket?.searchParams.has('code_challenge')).toBe(false)
})

test('what the definition says goes first', async () => {
  const own = provider('google', { authURL: 'https://id.example.com/go', displayName: 'Ours', pkce: false })
  const { providers } = await listed([own])
  expect(providers[0]).toMatchObject({ displayName: 'Ours', codeChallenge: '' })
  expect(providers[0]?.authURL).toMatch(/^https:\/\/id\.example\.com\/go\?client_id=id&/)
})

test('a notice names the providers with which no sign-in can end', async () => {
  const urls = { tokenURL: 'http://127.0.0.1:1/token', userInfoURL: 'http://127.0.0.1:1/user' }
  expect((await listed([provider('google'), provider('oidc', urls), provider('github')])).notices).toEqual([
    'OAuth2 sign-in to "users" cannot be completed with "google", "github": set tokenURL and userInfoURL for each provider, or simulate it with the option oauth2.pretend.',
  ])
  expect((await listed([provider('oidc', urls)])).notices).toEqual([])
})
