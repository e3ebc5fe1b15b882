/** The curl lines of a report, run by a shell, send the same request byte for byte. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { curlLine } from '../../exchange/curl.ts'
import { visible } from '../../exchange/visible.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { fc } from '../../test/support/seeded.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'
import type { Api, ApiResponse, RawRequest } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'

interface Got {
  method: string
  url: string
  authorization: string | undefined
  type: string | undefined
  body: string
}

const token = 'the-token-of-the-superuser'
const got: Got[] = []
let server: TestServer
let session: Session
let api: Api

beforeAll(async () => {
  server = await startTestServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    got.push({
      method,
      url,
      authorization: headers.authorization,
      type: headers['content-type'],
      body: Buffer.concat(chunks).toString('latin1'),
    })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"id":"r1"}')
  })
  const target = {
    baseUrl: server.url,
    binding: { prefix: '/api/v1' },
    capabilities: {},
    tables: {},
    credentials: { superuser: { token } },
  }
  session = createSession(target, { requirements: new Map() }, { seed: 1 })
  api = session.api('superuser')
})

afterAll(async () => {
  await session.close()
  server.close()
})

/** Sends a request, then its curl line with the secrets in the environment. Returns both, and the line. */
async function twice(send: () => Promise<ApiResponse>, secrets: Record<string, string> = {}) {
  got.length = 0
  const { exchange } = await send()
  const line = curlLine(exchange)
  const env = { ...process.env, TOKEN_SUPERUSER: token, ...secrets }
  await promisify(execFile)('sh', ['-c', line], { env })
  const [first, second] = got
  return { line, first, second }
}

const raw = (request: Omit<RawRequest, 'path'> & { path?: string }) => () =>
  api.raw({ path: '/api/v1/collections/t/records', ...request })
const json = { 'content-type': 'application/json' }

describe('a curl line sends the same again', () => {
  it.each<[string, () => Promise<ApiResponse>]>([
    ['a list', () => api.list({ role: 't', name: 't' }, { filter: `a = 'x' && b > 1`, sort: '-id' })],
    ['an empty body', raw({ method: 'POST', headers: json })],
    ['no bytes', raw({ method: 'POST', headers: json, body: new Uint8Array() })],
    ['JSON', () => api.create({ role: 't', name: 't' }, { title: `it's "so" \\ $HOME \`id\` %s ü 😀` })],
    ['JSON on many lines', raw({ method: 'POST', headers: json, body: '{\n\t"a" :  1,\r\n"b":2 }\n' })],
    ['a text with NUL', raw({ method: 'PATCH', headers: json, body: '{"a":"\u0000b"}' })],
    [
      'a text with what is not seen',
      raw({ method: 'POST', headers: json, body: '{"a":"\u202eb\u200d\u00a0\u{e0041}\ud800"}' }),
    ],
    ['a text that begins like an option', raw({ method: 'POST', headers: json, body: '--x\n%d' })],
    ['no media type', raw({ method: 'POST', body: '{"a":1}' })],
    ['a GET with a body', raw({ method: 'GET', headers: json, body: '{"a":1}' })],
    [
      'bytes that are no text',
      raw({ method: 'POST', headers: json, body: Uint8Array.of(0xff, 0, 1, 0x80, 0x37) }),
    ],
    ['an empty Authorization', raw({ method: 'POST', headers: { ...json, authorization: '' }, body: '{}' })],
    ['brackets and dots', raw({ method: 'GET', path: '/api/v1/{x}/../[1-3]?a=[b]' })],
    ['a HEAD', raw({ method: 'HEAD' })],
    ['a scheme before the token', raw({ method: 'GET', headers: { authorization: `Bearer ${token}` } })],
  ])('%s', async (_, send) => {
    const { first, second, line } = await twice(send)
    expect(second).toEqual(first)
    // Reports show it as it is.
    expect(visible(line)).toBe(line)
  })

  it('a form with files', async () => {
    const form = new FormData()
    form.set('title', 'two\nlines, "quoted"; 100%')
    form.set('file', new File([Uint8Array.of(0, 255, 10, 13, 45, 45)], 'a "b" ü.png', { type: 'image/png' }))
    const { first, second, line } = await twice(() => api.create({ role: 't', name: 't' }, form))
    expect(second).toEqual(first)
    expect(line).not.toContain('\n')
  })

  it('any bytes, and any text', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 })
    const text = fc
      .string({ unit: 'binary', maxLength: 100 })
      .filter((each) => !/\$[A-Z]|pass|token/i.test(each))
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, text), async (body) => {
        const { first, second } = await twice(
          raw({ method: 'POST', headers: { 'content-type': 'text/x' }, body }),
        )
        expect(second).toEqual(first)
      }),
      { numRuns: inFull ? 60 : 20 },
    )
  })

  it('secrets by name: in JSON, in a form, in a query, in bytes', async () => {
    const token = `pa's"s %d \\ wörd`
    const form = new FormData()
    form.set('token', token)
    form.set('title', 'x')
    const cases: (() => Promise<ApiResponse>)[] = [
      () => api.create({ role: 't', name: 't' }, form),
      raw({
        method: 'POST',
        headers: json,
        body: Buffer.concat([Uint8Array.of(255), Buffer.from(`{"token": "abc${token.length}"}`)]),
      }),
      raw({
        method: 'POST',
        headers: json,
        body: `{ "token" : "plain-token-value",\n "n": 1.0, "n": 1e400 }`,
      }),
      raw({
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'identity=a&token=plain-token-value&x=1',
      }),
    ]
    for (const [at, send] of cases.entries()) {
      const value = at === 0 ? token : at === 1 ? `abc${token.length}` : 'plain-token-value'
      const { first, second, line } = await twice(send, { TOKEN: value })
      expect(line).toContain('"$TOKEN"')
      expect(line).not.toContain(value)
      expect(second).toEqual(first)
    }
  })

  it('says so if the body is too long for a report', async () => {
    const { exchange } = await raw({ method: 'POST', headers: json, body: 'x'.repeat(5_000) })()
    expect(curlLine(exchange)).toMatch(/--data-binary @body # 5000 bytes, too long for a report$/)
    const bytes = await raw({ method: 'POST', headers: json, body: new Uint8Array(5_000) })()
    expect(curlLine(bytes.exchange)).toMatch(/--data-binary @body # 5000 bytes/)
    const form = new FormData()
    form.set('title', '@/etc/passwd')
    form.set('file', new File(['x'.repeat(5_000)], 'a.txt'))
    const { exchange: ofForm } = await api.create({ role: 't', name: 't' }, form)
    expect(curlLine(ofForm)).toMatch(/^[^@]* --data-binary @body # \d+ bytes, too long for a report$/)
  })
})
