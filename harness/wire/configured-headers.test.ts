import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { curlLine } from '../../exchange/curl.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { invocationOf } from '../planning/invocation.ts'
import { createSession } from '../session/create-session.ts'
import { configuredHeaders } from './configured-headers.ts'

const name = 'OWN_HEADERS_TEST_VALUE'
const secret = 'behind-the-gateway-7391'

afterEach(() => {
  delete process.env[name]
})

it('reads a value from the environment, and records only its name', async () => {
  process.env[name] = secret
  const seen: IncomingHttpHeaders[] = []
  const server = await startTestServer((request, response) => {
    seen.push(request.headers)
    response.end(JSON.stringify({ echo: request.headers }))
  })
  const headers = { 'x-gateway-key': `$${name}`, cookie: `$${name}`, 'x-tenant': 'mine' }
  const baseUrl = server.url
  const target = { baseUrl, binding: {}, capabilities: {}, tables: {}, credentials: {} }
  const session = createSession(target, { requirements: new Map() }, { seed: 1, headers })
  try {
    const { exchange } = await session.api('guest').raw({ method: 'GET', path: '/' })
    expect(seen[0]).toMatchObject({ 'x-gateway-key': secret, 'x-tenant': 'mine' })
    expect(JSON.stringify(exchange)).not.toContain(secret)
    expect(curlLine(exchange)).toContain(`-H 'x-gateway-key: '"$${name}"`)
    expect(curlLine(exchange)).toContain(`-H 'cookie: '"$${name}"`)
  } finally {
    await session.close()
    server.close()
  }
})

it('says which variable is not set', () => {
  expect(() => configuredHeaders({ 'x-key': '$NOBODY_SET_THIS' }, {})).toThrow(
    /variable for \$NOBODY_SET_THIS is not set[\s\S]*--header x-key/,
  )
})

it('rejects invalid header values by name, and shows no secret', () => {
  expect(() => configuredHeaders({ 'x-a': '漢' }, {})).toThrow(
    /another invalid character\n {2}at {4}--header x-a:漢/,
  )
  const rejected = () => configuredHeaders({ 'x-a': '$KEY' }, { KEY: 'sekret\n' })
  expect(rejected).toThrow(/--header x-a:\$KEY\n {2}next {2}correct KEY/)
  expect(rejected).not.toThrow('sekret')
  expect(configuredHeaders({ 'x-a': 'a\tü b' }, {})).toEqual({ 'x-a': 'a\tü b' })
})

it('a header is repeated by the name of its variable, which no shell expands: arguments are visible', () => {
  expect(invocationOf({ headers: { 'x-key': '$TOKEN_GATEWAY' } })).toBe(`--header 'x-key:$TOKEN_GATEWAY'`)
})
