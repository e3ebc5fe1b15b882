/** Every failure of a provider is a ProviderError with the step at which it happened. */

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAuthWorld } from '../../../test/support/auth-world.ts'

type ApiResponse = (response: ServerResponse) => void

let server: Server
let base: string
let responses: Record<string, ApiResponse>

const json =
  (value: unknown, status = 200): ApiResponse =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** Announces a body, sends a part of it and hangs up. */
const cut =
  (status: number): ApiResponse =>
  (response) => {
    response.writeHead(status, { 'content-length': '100' }).write('{"sub":')
    setTimeout(() => response.destroy(), 20)
  }

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    responses[request.url ?? '']?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  responses = {
    '/token': json({ access_token: 'a' }),
    '/user': json({ sub: 'ann', email: 'ann@example.com', email_verified: true }),
  }
})
afterAll(() => server.close())

async function enter() {
  const urls = { authURL: base, tokenURL: `${base}/token`, userInfoURL: `${base}/user` }
  const oauth2 = { enabled: true, providers: [{ name: 'oidc', clientId: 'c', clientSecret: 's', ...urls }] }
  const world = await makeAuthWorld({ tables: [{ name: 'linked', type: 'auth', createRule: '', oauth2 }] })
  return world.act('linked', 'auth-with-oauth2', { provider: 'oidc', code: 'x' })
}

test.each([
  ['/token', 200, 'Failed to fetch OAuth2 token.'],
  ['/token', 500, 'Failed to fetch OAuth2 token.'],
  ['/user', 200, 'Failed to fetch OAuth2 user.'],
])(
  'a provider that closes the connection in the middle of %s %i is rejected',
  async (path, status, message) => {
    responses[path] = cut(status)
    const rejected = await enter()
    expect([rejected.status, rejected.body.message]).toEqual([400, message])
  },
)

test.each([
  [3600, '2030-01-01 01:00:00.000Z'],
  ['3600', '2030-01-01 01:00:00.000Z'],
  [1e13, ''],
  [1e300, ''],
  [-1, ''],
  ['soon', ''],
])('a lifetime of %j expires at %j', async (lifetime, expiry) => {
  responses['/token'] = json({ access_token: 'a', expires_in: lifetime })
  const { status, body } = await enter()
  expect([status, body.meta?.expiry]).toEqual([200, expiry])
})

test.each([
  [
    '/user',
    `{"sub":"ann","email":"ann@example.com","email_verified":true,"deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  ],
  ['/user', '{"sub":"ann","email":"ann@example.com","email_verified":true,"huge":1e999}'],
])('JSON of a provider that no response could contain is rejected: %s', async (path, text) => {
  responses[path] = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  const rejected = await enter()
  expect([rejected.status, rejected.body.message]).toEqual([400, 'Failed to fetch OAuth2 user.'])
})
