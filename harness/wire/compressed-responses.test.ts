/** Servers that compress their responses although no request accepts it. */

import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { curlLine } from '../../exchange/curl.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'
import { defined } from '../support/defined.ts'
import type { Session } from '../vocabulary/session.ts'

const body = '{"page":1,"perPage":30,"totalItems":0,"totalPages":0,"items":[]}'
const plain = { role: 'plain', name: 'plain' }
let server: TestServer
let session: Session
let got: IncomingHttpHeaders
let answer: [string | undefined, string | Buffer]

beforeEach(async () => {
  server = await startTestServer((request, response) => {
    got = request.headers
    const [coding, bytes] = answer
    response.writeHead(200, {
      'content-type': 'application/json',
      ...defined({ 'content-encoding': coding }),
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  })
  session = sessionWith({})
})

afterEach(async () => {
  await session.close()
  server.close()
})

function sessionWith(headers: Record<string, string>): Session {
  const target = {
    baseUrl: server.url,
    binding: {},
    capabilities: {},
    tables: {},
    credentials: {},
  }
  return createSession(target, { requirements: new Map() }, { seed: 1, headers })
}

it('every request without its own header asks for uncompressed responses', async () => {
  answer = [undefined, body]
  const { exchange } = await session.api('guest').list(plain)
  expect(got['accept-encoding']).toBe('identity')
  expect(exchange.request.headers['accept-encoding']).toBe('identity')
  expect(curlLine(exchange)).not.toContain('encoding')

  const said = { method: 'GET', path: '/x', headers: { 'Accept-Encoding': 'br' } }
  expect(curlLine((await session.api('guest').raw(said)).exchange)).toContain("-H 'accept-encoding: br'")
  expect(got['accept-encoding']).toBe('br')

  await session.close()
  session = sessionWith({ 'accept-encoding': 'gzip' })
  await session.api('guest').list(plain)
  expect(got['accept-encoding']).toBe('gzip')
})

it('every request names its client, without a version', async () => {
  answer = [undefined, body]
  const { exchange } = await session.api('guest').list(plain)
  expect(got['user-agent']).toBe('record-auth-conformance')
  expect(curlLine(exchange)).not.toContain('user-agent')
})

it.each<[string, Buffer]>([
  ['gzip', gzipSync(body)],
  ['br', brotliCompressSync(body)],
  ['Identity', Buffer.from(body)],
])('are understood all the same: %s', async (coding, bytes) => {
  answer = [coding, bytes]
  const response = await session.api('guest').list(plain)
  expect([response.text, response.exchange.response?.body]).toEqual([body, body])
  expect(response.body).toEqual(JSON.parse(body))
  expect(response.exchange.response?.headers['content-encoding']).toBe(coding)
  expect(curlLine(response.exchange)).toContain("-H 'accept-encoding: identity'")
  expect(session.traffic.broken()).toEqual([])
  const head = await session.api('guest').raw({ method: 'HEAD', path: '/x' })
  expect(head.text).toBe('')
})

it.each<[string, string]>([
  ['zstd-of-tomorrow', 'a body in zstd-of-tomorrow cannot be decoded'],
  ['gzip', 'a body in gzip cannot be decoded'],
])('break an expectation that names the coding if it cannot be decoded: %s', async (coding, fact) => {
  answer = [coding, 'no such bytes']
  const scope = session.recorder.open()
  await expect(session.api('guest').list(plain)).rejects.toMatchObject({
    name: 'ExpectationError',
    message: expect.stringContaining(fact),
    received: `content-encoding: ${coding}`,
  })
  expect(scope.exchanges).toHaveLength(1)
  expect(session.traffic.broken()).toEqual([])
})
