/**
 * The proxy: bytes as they were, findings reported, recordings that can be validated again.
 */

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangesIn, note, page } from '../../test/validate/exchanges.ts'
import { createValidator } from '../create-validator.ts'
import { createHarWriter, type HarWriter } from './har-writer.ts'
import type { ProxyOptions } from './options.ts'
import { type RunningProxy, startProxy } from './proxy.ts'

const good = JSON.stringify(page())
const bad = JSON.stringify(page({ totalPages: 9 }))
const path = '/api/v1/collections/notes/records'
const folder = mkdtempSync(join(tmpdir(), 'conformance-proxy-'))
const large = Buffer.alloc(40 * 1024 * 1024, 0x20)
let upstream: Server
/** Sends the second event, and no more. */
let endEvents = () => {}
let received: { url: string; headers: string[]; body: string }[] = []

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const { url = '' } = request
  received.push({ url, headers: request.rawHeaders, body })
  if (url.includes('cut')) response.writeHead(200).write('{', () => response.destroy())
  else if (url.includes('events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    endEvents = () => response.end('data: 2\n\n')
  } else if (url.includes('large')) response.writeHead(200, { 'content-type': 'application/json' }).end(large)
  else if (request.method === 'POST')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(note()))
  else {
    const bytes = url.includes('zip') ? gzipSync(good) : Buffer.from(url.includes('bad') ? bad : good)
    response.writeHead(200, [
      'X-Odd-CASE',
      'a',
      'Content-Type',
      'application/json',
      'X-Odd-CASE',
      'b',
      ...(url.includes('zip') ? ['Content-Encoding', 'gzip'] : []),
    ])
    response.end(bytes)
  }
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => answer(request, response, body))
  })
  upstream.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk.toString()}`))
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
})
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

async function through<T>(
  mode: ProxyOptions['mode'],
  use: (pool: Pool, proxy: RunningProxy) => Promise<T>,
  har?: HarWriter,
  validator = createValidator({ profile: 'standard' }),
): Promise<{ got: T; seen: string[]; troubles: string[] }> {
  const seen: string[] = []
  const troubles: string[] = []
  received = []
  const proxy = await startProxy({
    upstream: new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/base`),
    validator,
    mode,
    har,
    onResult: ({ operation, ok, unjudged }, { method, status }) =>
      seen.push(`${method} ${status} ${operation} ${ok}${unjudged === undefined ? '' : ' unjudged'}`),
    onTrouble: (what) => troubles.push(what),
  })
  const pool = new Pool(proxy.url)
  try {
    return { got: await use(pool, proxy), seen, troubles }
  } finally {
    await pool.destroy()
    await proxy.close()
  }
}

const fetched = (url: string) => async (pool: Pool) => {
  const response = await pool.request({ method: 'GET', path: url })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return { status: response.statusCode, headers: response.headers, bytes }
}

describe('report', () => {
  it('passes bytes and headers on as they are, both ways', async () => {
    const { got, seen } = await through('report', async (pool) => {
      const sent = Buffer.from('{"title":  "é"}')
      const posted = await pool.request({
        method: 'POST',
        path,
        body: sent,
        headers: { 'X-Own-CASE': '1', authorization: 'T' },
      })
      await posted.body.dump()
      return fetched(`${path}?zip`)(pool)
    })
    expect(got.bytes.equals(gzipSync(good))).toBe(true)
    expect(got.headers).toMatchObject({ 'x-odd-case': ['a', 'b'], 'content-encoding': 'gzip' })
    expect(received[0]).toMatchObject({ url: `/base${path}`, body: '{"title":  "é"}' })
    expect(received[0]?.headers).toContain('X-Own-CASE')
    expect(seen).toEqual(['POST 200 createRecord true', 'GET 200 listRecords true'])
  })

  it('reports what does not conform and changes nothing', async () => {
    const { got, seen } = await through('report', fetched(`${path}?bad`))
    expect([got.status, got.headers['x-conformance'], got.bytes.toString()]).toEqual([200, undefined, bad])
    expect(seen).toEqual(['GET 200 listRecords false'])
  })

  it('streams events as they come', async () => {
    const { got, seen } = await through('report', async (pool) => {
      const events: string[] = []
      const response = await pool.request({ method: 'GET', path: '/events' })
      for await (const chunk of response.body) {
        events.push(String(chunk))
        // Nothing would come before the end if the proxy kept the first event.
        endEvents()
      }
      return events
    })
    expect(got).toEqual(['data: 1\n\n', 'data: 2\n\n'])
    expect(seen).toEqual([])
  })

  it('passes another protocol on', async () => {
    const { got } = await through('report', async (_pool, proxy) => {
      const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
      socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      const [head] = (await once(socket, 'data')) as [Buffer]
      socket.write('hello')
      const [echo] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      return [head.toString().split('\r\n')[0], echo.toString()]
    })
    expect(got).toEqual(['HTTP/1.1 101 Switching Protocols', 'echo hello'])
  })

  it('outlives an upstream that breaks off, and clients that do', async () => {
    const { got } = await through('report', async (pool) => {
      await expect(fetched(`${path}?cut`)(pool)).rejects.toThrow()
      const stop = new AbortController()
      const asked = pool.request({ method: 'GET', path: '/events', signal: stop.signal })
      stop.abort()
      await expect(asked).rejects.toThrow()
      return fetched(path)(pool)
    })
    expect(got.status).toBe(200)
  })

  it('answers 502 when no one listens', async () => {
    const troubles: string[] = []
    const proxy = await startProxy({
      upstream: new URL('http://127.0.0.1:9'),
      validator: createValidator({ profile: 'standard' }),
      mode: 'report',
      onResult: () => {},
      onTrouble: (what) => troubles.push(what),
    })
    const response = await fetch(`${proxy.url}${path}?token=secret`)
    expect([response.status, ((await response.json()) as { status: number }).status]).toEqual([502, 502])
    expect(troubles).toEqual([`GET ${path}: the upstream server did not respond (ECONNREFUSED)`])
    await proxy.close()
  })
})

it('marks', async () => {
  const { got } = await through('mark', fetched(`${path}?bad`))
  expect([got.status, got.headers['x-conformance'], got.bytes.toString()]).toEqual([
    200,
    'list.total-pages $.totalPages',
    bad,
  ])
})

it('fails', async () => {
  const { got } = await through('fail', fetched(`${path}?bad`))
  expect([got.status, JSON.parse(got.bytes.toString()).message]).toEqual([
    502,
    expect.stringContaining('list.total-pages'),
  ])
  const fine = await through('fail', fetched(`${path}?zip`))
  expect(fine.got.bytes.equals(gzipSync(good))).toBe(true)
})

it.each(['report', 'fail'] as const)(
  'passes on what is too large to be held back: %s',
  async (mode) => {
    const { got, seen } = await through(mode, fetched(`${path}?large`))
    expect(got.bytes.equals(large)).toBe(true)
    expect(seen).toEqual([expect.stringMatching(/unjudged$/)])
  },
  60_000,
)

it('records what can be validated again, without secrets', async () => {
  const file = join(folder, 'a.har')
  const har = createHarWriter(file, { name: 'x', version: '1' })
  await through(
    'report',
    async (pool) => {
      await fetched(`${path}?bad&token=supersecret`)(pool)
      await fetched(`${path}?zip`)(pool)
      const headers = { authorization: 'token-of-somebody', 'content-type': 'application/json' }
      const posted = await pool.request({
        method: 'POST',
        path,
        headers,
        body: '{"password":"hunter2hunter2"}',
      })
      await posted.body.dump()
    },
    har,
  )
  har.close()
  const text = readFileSync(file, 'utf8')
  expect(text).not.toMatch(/supersecret|token-of-somebody|hunter2/)
  const validator = createValidator({ profile: 'standard' })
  const results = (await exchangesIn(text)).map((exchange) => validator.validate(exchange))
  expect(results.map(({ ok, operation }) => [ok, operation])).toEqual([
    [false, 'listRecords'],
    [true, 'listRecords'],
    [true, 'createRecord'],
  ])
})

it('records a request body that is too large to keep as one that was left out', async () => {
  const file = join(folder, 'large.har')
  const har = createHarWriter(file, { name: 'x', version: '1' })
  const body = JSON.stringify({ title: 'x'.repeat(5_000) })
  await through(
    'report',
    async (pool) => {
      const headers = { 'content-type': 'application/json' }
      const posted = await pool.request({ method: 'POST', path, headers, body })
      await posted.body.dump()
    },
    har,
    createValidator({ profile: 'standard', limit: 4_000 }),
  )
  har.close()
  const [recorded] = JSON.parse(readFileSync(file, 'utf8')).log.entries
  expect(recorded.request).toMatchObject({
    bodySize: body.length,
    postData: { text: '', comment: expect.stringContaining('too large') },
  })
})

it.each(['http://elsewhere.example/ws?a', 'HTTPS://elsewhere.example?a', '/ws?a'])(
  'passes an upgrade with the target %s on as a path',
  async (target) => {
    const upgraded = once(upstream, 'upgrade')
    await through('report', async (_pool, proxy) => {
      const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
      const [request] = (await upgraded) as [IncomingMessage]
      expect(request.url).toBe(target.startsWith('HTTPS') ? '/base/?a' : '/base/ws?a')
      await once(socket, 'data')
      socket.destroy()
    })
  },
)
