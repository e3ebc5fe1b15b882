import { afterEach, expect, it } from 'vitest'
import { servedSuperuser as superuser } from '../scripts/support/served-superuser.ts'
import { readShape } from './read-shape.ts'
import { type Serving, startServing } from './serving.ts'

const google = { name: 'google', clientId: 'id', clientSecret: 'secret' }
const tables = [
  { name: 'users', type: 'auth', createRule: '', fields: [], oauth2: { enabled: true, providers: [google] } },
]

interface Methods {
  oauth2: { providers: Record<string, string>[] }
}

let serving: Serving | undefined
afterEach(() => serving?.close())

async function start() {
  const data = readShape({ tables, settings: { oauth2: { pretend: ['google', 'acme'] } } })
  serving = await startServing({ data, seed: 7, superuser })
  const { url, notices } = serving
  const api = `${url}/api/v1/collections/users`
  const methods = (await (await fetch(`${api}/auth-methods`)).json()) as Methods
  return { url, notices, api, providers: methods.oauth2.providers }
}

const back = 'http://127.0.0.1:1/back'

it.each(['google', 'acme'])('signs in with %s as the chosen user, as a browser would', async (provider) => {
  const { url, notices, api, providers } = await start()
  expect(notices).toEqual([])
  const { authURL = '', codeVerifier, state } = providers.find(({ name }) => name === provider) ?? {}
  expect(authURL.startsWith(`${url}/_oauth2/authorize?`)).toBe(true)
  const page = authURL + encodeURIComponent(back)
  expect(await (await fetch(page)).text()).toContain('<form method="post">')
  const chosen = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ sub: '42', email: 'bob@example.com' }),
    redirect: 'manual',
  })
  expect(chosen.status).toBe(303)
  const to = new URL(chosen.headers.get('location') ?? '')
  expect(to.searchParams.get('state')).toBe(state)
  const code = to.searchParams.get('code')
  const signedIn = await fetch(`${api}/auth-with-oauth2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider, code, codeVerifier, redirectURL: back }),
  })
  expect(await signedIn.json()).toMatchObject({ record: { email: 'bob@example.com' } })
})

it('rejects the sign-in if that is chosen, and an address without the application', async () => {
  const { api, providers, url } = await start()
  const { authURL = '', codeVerifier } = providers[0] ?? {}
  const chosen = await fetch(authURL + encodeURIComponent(back), {
    method: 'POST',
    body: new URLSearchParams({ reject: 'token' }),
    redirect: 'manual',
  })
  const code = new URL(chosen.headers.get('location') ?? '').searchParams.get('code')
  const signedIn = await fetch(`${api}/auth-with-oauth2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'google', code, codeVerifier, redirectURL: back }),
  })
  expect(signedIn.status).toBe(400)
  const page = `${url}/_oauth2/authorize?redirect_uri=`
  for (const address of ['', 'x', 'javascript:alert(1)']) {
    const incomplete = await fetch(page + address)
    expect([incomplete.status, await incomplete.text()]).toEqual([
      400,
      expect.stringContaining('redirect_uri'),
    ])
  }
  expect((await fetch(page + back, { method: 'PUT' })).status).toBe(405)
  expect((await fetch(page + back, { method: 'HEAD' })).status).toBe(200)
})

it('takes only its own form', async () => {
  const { url } = await start()
  const page = `${url}/_oauth2/authorize?redirect_uri=${encodeURIComponent(back)}`
  const send = async (init: RequestInit) =>
    (await fetch(page, { method: 'POST', redirect: 'manual', ...init })).status
  const form = () => new URLSearchParams({ sub: '1' })
  expect(await send({ body: form() })).toBe(303)
  expect(await send({ body: form(), headers: { origin: 'http://evil.test' } })).toBe(403)
  expect(await send({ body: form(), headers: { origin: 'http://localhost:1' } })).toBe(403)
  expect(await send({ body: form(), headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
  expect(await send({ body: new URLSearchParams({ reject: 'token', email: 'notanemail' }) })).toBe(303)
  expect(await send({ body: '{"sub":"7"}', headers: { 'content-type': 'application/json' } })).toBe(415)
  expect(await send({ body: new URLSearchParams({ email: 'ann@example.com' }) })).toBe(400)
  expect(await send({ body: new URLSearchParams({ sub: '1', email: 'notanemail' }) })).toBe(400)
  expect(await send({ body: new URLSearchParams({ sub: 'x'.repeat(100_000) }) })).toBe(413)
})

it('the page does not exist without a pretended provider', async () => {
  serving = await startServing({ data: readShape({ tables }), seed: 7, superuser })
  const page = `${serving.url}/_oauth2/authorize?redirect_uri=${encodeURIComponent(back)}`
  for (const method of ['GET', 'POST']) expect((await fetch(page, { method })).status).toBe(404)
})
