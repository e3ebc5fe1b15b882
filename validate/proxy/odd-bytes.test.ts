/**
 * What no client and no server should send, byte for byte: the proxy outlives it, responds, reports it, and its recording
 * stays whole.
 */

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createValidator } from '../create-validator.ts'
import { createHarWriter, type HarWriter } from './har-writer.ts'
import type { ProxyOptions } from './options.ts'
import { startProxy } from './proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-proxy-odd-'))
const file = join(folder, 'a.har')
const fine = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
let upstream: Server
let response = fine
let received = ''

beforeAll(async () => {
  upstream = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      socket.write(response, 'latin1')
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
})
afterAll(() => {
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Outcome {
  /** Status line of what the client got. */
  got: string
  /** The first that came of it. */
  head: string
  troubles: string[]
  /** URLs of the recording, as it is before the proxy has stopped. */
  recorded: string[]
}

async function exchange(
  request: string,
  answer = fine,
  {
    mode = 'report',
    har,
    switches = false,
  }: {
    mode?: ProxyOptions['mode']
    har?: HarWriter
    /** Asks for another protocol, which is neither recorded nor reported. */
    switches?: boolean
  } = {},
): Promise<Outcome> {
  response = answer
  received = ''
  const troubles: string[] = []
  const writer = har ?? createHarWriter(file, { name: 'x', version: '1' })
  const proxy = await startProxy({
    upstream: new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`),
    validator: createValidator({ profile: 'standard' }),
    mode,
    har: writer,
    onResult: () => {},
    onTrouble: (what) => troubles.push(what),
  })
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  socket.write(request, 'latin1')
  const [head] = (await once(socket, 'data')) as [Buffer]
  const recordedSoFar = () => (har ? [] : JSON.parse(readFileSync(file, 'utf8')).log.entries)
  // What is recorded or reported is so after the response.
  if (!switches)
    await vi.waitFor(() => expect(troubles.length + recordedSoFar().length).toBeGreaterThan(0), {
      interval: 10,
      timeout: 20_000,
    })
  const entries = recordedSoFar()
  socket.destroy()
  await proxy.close()
  writer.close()
  return {
    got: head.toString('latin1').split('\r\n', 1)[0] ?? '',
    head: head.toString('latin1'),
    troubles,
    recorded: entries.map(({ request: { url } }: { request: { url: string } }) => url.replace(/:\d+/, '')),
  }
}

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

it.each([
  ['//', '//'],
  ['//evil/x', '//evil/x'],
  ['http://evil/x?y', '/x?y'],
  ['http://evil', '/'],
  ['http://:99999999/x', '/x'],
])('asks the upstream alone, and records it alone: %s', async (target, path) => {
  expect(await exchange(get(target))).toMatchObject({
    got: 'HTTP/1.1 200 OK',
    troubles: [],
    recorded: [`http://127.0.0.1${path}`],
  })
  expect(received.split(' ')[1]).toBe(path)
})

describe('headers that Connection names', () => {
  /** What the upstream received, or the client got, without its last part. */
  const headOf = (text: string) => text.split('\r\n\r\n', 1)[0] ?? ''
  const secret = 'Authorization: secret\r\nX-Hop: 1\r\nX-End: 2\r\n'

  it.each([
    'Connection: authorization, X-HOP',
    'Connection: keep-alive ,AUTHORIZATION\r\nConnection:\t x-hop\t,,',
    'connection: close, authorization, x-hop, nobody-has-this',
  ])('do not reach the upstream: %j', async (line) => {
    await exchange(get('/a', `${secret}${line}\r\n`))
    expect(received).toMatch(/^GET \/a /)
    expect(received).toContain('X-End: 2\r\n')
    expect(received).not.toMatch(/secret|x-hop|authorization/i)
  })

  it('do not reach the client', async () => {
    const answer = fine.replace('\r\n', '\r\nX-Hop: 1\r\nX-End: 2\r\nConnection: x-hop, Keep-Alive\r\n')
    const { head } = await exchange(get('/a'), answer)
    expect(headOf(head)).toContain('X-End: 2')
    expect(headOf(head)).not.toMatch(/x-hop/i)
  })

  it.each(['Content-Length: 4\r\n\r\nabcd', 'Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n'])(
    'stay if they say what a message is: %j',
    async (body) => {
      const line = 'Connection: host, content-length, transfer-encoding, x-hop'
      const post = `POST /a HTTP/1.1\r\nHost: x\r\n${secret}${line}\r\n${body}`
      const answer = fine.replace('\r\n', `\r\n${line}\r\n`)
      const { head, recorded } = await exchange(post, answer)
      expect(received).toMatch(/\r\nHost: 127\.0\.0\.1:\d+\r\n/)
      // The body may still be on its way: this upstream does not wait for it.
      expect(received).toContain(`\r\n${body.split('\r\n', 1)[0]}\r\n`)
      expect(head).toMatch(/\r\nContent-Length: 2\r\n.*\r\n\r\n\{\}$/s)
      expect(recorded).toHaveLength(1)
    },
  )

  it('do not reach the upstream with a change of protocol, nor with one that is not taken up', async () => {
    const socket = 'Connection: Upgrade, authorization, x-hop\r\nUpgrade: websocket\r\nX-Tail: 3\r\n'
    await exchange(get('/ws', `${secret}${socket}`), fine, { switches: true })
    expect(received).toMatch(/\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n/)
    expect(received).toContain('X-Tail: 3\r\n')
    expect(received).not.toMatch(/secret|x-hop/i)
    const offer =
      'Connection: Upgrade, HTTP2-Settings, Authorization, X-Hop\r\nUpgrade: h2c\r\nHTTP2-Settings: A\r\n'
    await exchange(get('/a', `${secret}${offer}`))
    expect(received).toMatch(/^GET \/a .*X-End: 2\r\n/s)
    expect(received).not.toMatch(/secret|x-hop|h2c|http2/i)
  })

  it('credentials for the proxy stay with it', async () => {
    await exchange(get('/a', 'Proxy-Authorization: Basic c2VjcmV0\r\n'))
    expect(received).toMatch(/^GET \/a /)
    expect(received).not.toContain('c2VjcmV0')
  })
})

it('bears a trailer that is announced for nothing, from either side', async () => {
  const announced = fine.replace('\r\n', '\r\nTrailer: x\r\n')
  expect(await exchange(get('/', 'Trailer: x\r\n'), announced)).toMatchObject({
    got: 'HTTP/1.1 200 OK',
    troubles: [],
  })
})

it.each(['report', 'mark'] as const)(
  'answers 502 for what cannot be passed on, and reports it: %s',
  async (mode) => {
    for (const [line, words] of [
      ['000 OK', /^GET \/a: the response cannot be forwarded \(ERR_HTTP_INVALID_STATUS_CODE\)$/],
      ['200 O\x01K', /^GET \/a: the response cannot be forwarded \(ERR_INVALID_CHAR\)$/],
      [
        '101 X\r\nConnection: upgrade\r\nUpgrade: y',
        /^GET \/a: the upstream server did not respond .*switched protocols/,
      ],
    ] as const) {
      const answer = `HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\n{}`
      expect(await exchange(get('/a?token=secret'), answer, { mode })).toMatchObject({
        got: 'HTTP/1.1 502 Bad Gateway',
        troubles: [expect.stringMatching(words)],
      })
    }
  },
)

it('passes traffic on also when it cannot be recorded', async () => {
  const full = () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  expect(await exchange(get('/a'), fine, { har: { add: full, close: () => {} } })).toMatchObject({
    got: 'HTTP/1.1 200 OK',
    troubles: ['GET /a: it cannot be recorded (ENOSPC)'],
  })
})

it('does not accept an upgrade to HTTP/2, and judges the request and what follows', async () => {
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n'
  const post = `POST /a HTTP/1.1\r\nHost: x\r\n${offer}Content-Length: 4\r\n\r\nabcd`
  expect(await exchange(post)).toMatchObject({
    got: 'HTTP/1.1 200 OK',
    troubles: [],
    recorded: ['http://127.0.0.1/a'],
  })
  expect(received).toMatch(/^POST \/a HTTP\/1\.1\r\n.*abcd$/s)
  expect(received).not.toMatch(/h2c|HTTP2-Settings/i)
})

it('adds no listener for each offer of HTTP/2 on the same connection', async () => {
  response = fine
  const warning = vi.spyOn(process, 'emitWarning')
  const proxy = await startProxy({
    upstream: new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`),
    validator: createValidator({ profile: 'standard' }),
    mode: 'report',
    onResult: () => {},
    onTrouble: () => {},
  })
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  for (let turn = 0; turn < 15; turn++) {
    socket.write(get('/a', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: A\r\n'))
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
  }
  socket.destroy()
  await proxy.close()
  expect(warning).not.toHaveBeenCalled()
  warning.mockRestore()
})

it('hands over the bytes of headers of a connection that changes its protocol', async () => {
  await exchange(get('/ws', 'Connection: Upgrade\r\nUpgrade: websocket\r\nX-A: \xe9\r\n'), fine, {
    switches: true,
  })
  expect(received).toContain('X-A: \xe9\r\n')
})
