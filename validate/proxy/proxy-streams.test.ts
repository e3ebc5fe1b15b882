/**
 * What goes through the proxy in other ways than a small JSON answer: sockets, events, large and packed bodies, and
 * either side that hangs up.
 */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Agent, fetch as undiciFetch, WebSocket } from 'undici'
import { afterEach, expect, it, vi } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { bad, good, path } from '../../test/validate/responding-server.ts'
import { createValidator } from '../create-validator.ts'
import type { ProxyOptions } from './options.ts'
import { startProxy } from './proxy.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that something holds on to, whenever the engine would have looked for garbage. */
function held(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Between {
  /** Of the proxy. */
  url: string
  seen: string[]
  troubles: string[]
  upstream: ReturnType<typeof createServer>
}

async function between(
  response: (request: IncomingMessage, response: ServerResponse) => void,
  { mode = 'report', host = '127.0.0.1', ...more }: Partial<ProxyOptions> & { host?: string } = {},
): Promise<Between> {
  const upstream = createServer(response).listen(0, host)
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  const seen: string[] = []
  const troubles: string[] = []
  const proxy = await startProxy({
    upstream: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    validator: createValidator({ profile: 'standard' }),
    mode,
    ...more,
    onResult: ({ ok, unjudged }, { method, status }) => seen.push(`${method} ${status} ${unjudged ?? ok}`),
    onTrouble: (what) => troubles.push(what),
  })
  closing.push(
    () => upstream.close(),
    () => upstream.closeAllConnections(),
    () => proxy.close(),
  )
  return { url: proxy.url, seen, troubles, upstream }
}

const json = { 'content-type': 'application/json' }

async function asked(url: string, options: object = {}, body?: string) {
  const request = httpRequest(url, options)
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { response, bytes: Buffer.concat(chunks) }
}

it('a WebSocket, both ways', async () => {
  const { url, upstream } = await between((_request, response) => response.end())
  upstream.on('upgrade', ({ headers }, socket) => {
    const key = createHash('sha1').update(
      `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    )
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key.digest('base64')}\r\n\r\n`,
    )
    // A frame of a client is masked; one with the same bytes unmasked goes back.
    socket.on('data', (frame: Buffer) => {
      const length = (frame[1] ?? 0) & 127
      const text = frame.subarray(6, 6 + length).map((byte, at) => byte ^ (frame[2 + (at % 4)] ?? 0))
      socket.write(Buffer.concat([Buffer.from([frame[0] ?? 0, length]), text]))
    })
  })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime`)
  await once(socket as never, 'open')
  for (const text of ['hello', 'again é']) {
    socket.send(text)
    const [{ data }] = (await once(socket as never, 'message')) as [{ data: string }]
    expect(data).toBe(text)
  }
  socket.close()
})

it('a WebSocket to an upstream that is gone is rejected, and reported', async () => {
  const { url, upstream, troubles } = await between((_request, response) => response.end())
  upstream.close()
  const request = httpRequest(`${url}/ws`, { headers: { connection: 'upgrade', upgrade: 'websocket' } }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([response.statusCode, troubles]).toEqual([
    502,
    ['GET /ws: the upstream server did not respond (ECONNREFUSED)'],
  ])
  response.resume()
})

it.each(['report', 'fail'] as const)('events one by one, as they are sent: %s', async (mode) => {
  let stream: ServerResponse | undefined
  const { url, seen } = await between(
    (_request, response) => {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('data: 1\n\n')
    },
    { mode },
  )
  const request = httpRequest(`${url}/api/realtime`).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  for (const expected of ['data: 1\n\n', 'data: 2\n\n']) {
    // The next event is sent only when this one has come.
    const [chunk] = (await once(response, 'data')) as [Buffer]
    expect(chunk.toString()).toBe(expected)
    stream?.write('data: 2\n\n')
  }
  const left = once(stream as ServerResponse, 'close')
  request.destroy()
  await left
  expect(seen).toEqual([])
})

it.runIf(inFull)(
  '100 MB each way in the memory of a piece of it',
  async () => {
    const size = 100 * 1024 * 1024
    const block = Buffer.alloc(64 * 1024, 0x20)
    let received = 0
    const { url, seen } = await between(async (request, response) => {
      for await (const chunk of request) received += (chunk as Buffer).length
      response.writeHead(200, json)
      for (let sent = 0; sent < size; sent += block.length)
        if (!response.write(block)) await once(response, 'drain')
      response.end()
    })
    const request = httpRequest(`${url}${path}`, { method: 'POST' })
    const before = held()
    let most = 0
    let looked = 0
    for (let sent = 0; sent < size; sent += block.length)
      if (!request.write(block)) await once(request, 'drain')
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let got = 0
    for await (const chunk of response) {
      got += (chunk as Buffer).length
      if (got - looked < 10 * 1024 * 1024) continue
      looked = got
      most = Math.max(most, held() - before)
    }
    expect([received, got]).toEqual([size, size])
    expect(seen).toEqual([expect.stringMatching(/ the body is larger than the limit of 32 MiB$/)])
    // At most 32 MB of either side are kept to be judged.
    expect(most / 1024 / 1024).toBeLessThan(100)
  },
  60_000,
)

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const)('bytes in %s, untouched and judged', async (encoding, pack) => {
  for (const mode of ['report', 'fail'] as const) {
    const { url, seen } = await between(
      (request, response) =>
        response
          .writeHead(200, { ...json, 'content-encoding': encoding })
          .end(pack(request.url?.includes('bad') ? bad : good)),
      { mode },
    )
    const { response, bytes } = await asked(`${url}${path}`)
    expect([bytes.equals(pack(good)), response.headers['content-encoding']]).toEqual([true, encoding])
    const broken = await asked(`${url}${path}?bad`)
    expect([broken.response.statusCode, broken.bytes.equals(pack(bad))]).toEqual(
      mode === 'fail' ? [502, false] : [200, true],
    )
    expect(seen).toEqual(['GET 200 true', 'GET 200 false'])
  }
})

it.each(['report', 'mark', 'fail'] as const)('HEAD, 204 and a body in chunks: %s', async (mode) => {
  const { url, seen } = await between(
    ({ method }, response) => {
      if (method === 'DELETE') response.writeHead(204).end()
      else if (method === 'HEAD') response.writeHead(200, { ...json, 'content-length': good.length }).end()
      else {
        response.writeHead(200, json).write(good.slice(0, 9))
        response.end(good.slice(9))
      }
    },
    { mode },
  )
  const head = await asked(`${url}${path}`, { method: 'HEAD' })
  expect([head.response.headers['content-length'], head.bytes.length]).toEqual([String(good.length), 0])
  expect((await asked(`${url}${path}/a`, { method: 'DELETE' })).response.statusCode).toBe(204)
  const { response, bytes } = await asked(`${url}${path}`)
  expect([bytes.toString(), response.headers['content-type']]).toEqual([good, 'application/json'])
  expect(seen).toEqual(['HEAD 200 true', 'DELETE 204 true', 'GET 200 true'])
})

it('waits for leave to send the body, where the client does', async () => {
  let body = ''
  const { url } = await between(async (request, response) => {
    for await (const chunk of request) body += chunk
    response.writeHead(200, json).end(good)
  })
  const request = httpRequest(`${url}${path}`, { headers: { expect: '100-continue', 'content-length': 5 } })
  request.flushHeaders()
  await once(request, 'continue')
  request.end('hello')
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  expect([response.statusCode, body]).toEqual([200, 'hello'])
})

it('keeps connections open, on both sides', async () => {
  const ports = new Set<number | undefined>()
  const { url } = await between(({ socket }, response) => {
    ports.add(socket.remotePort)
    response.writeHead(200, json).end(good)
  })
  const dispatcher = new Agent({ connections: 1 })
  closing.push(() => dispatcher.close())
  let connections = 0
  dispatcher.on('connect', () => {
    connections += 1
  })
  for (let at = 0; at < 5; at++) await (await undiciFetch(`${url}${path}`, { dispatcher })).arrayBuffer()
  expect([connections, ports.size]).toEqual([1, 1])
})

it('a client that hangs up ends the request, and is not a trouble of the upstream', async () => {
  const left: string[] = []
  const { url, troubles, seen } = await between((request, response) => {
    response.on('close', () => left.push(request.url ?? ''))
    if (request.url === '/half') response.writeHead(200, json).write('{')
  })
  const silent = httpRequest(`${url}/silent`).end()
  silent.on('error', () => {})
  const half = httpRequest(`${url}/half`).end()
  const [response] = (await once(half, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  half.destroy()
  await vi.waitFor(() => expect(left).toContain('/half'), { timeout: 15_000 })
  silent.destroy()
  await vi.waitFor(() => expect(left).toContain('/silent'), { timeout: 15_000 })
  expect([troubles, seen]).toEqual([[], []])
})

it.each(['report', 'fail'] as const)('an upstream that dies in the middle is reported: %s', async (mode) => {
  const { url, troubles, seen } = await between(
    (_request, response) => {
      response.writeHead(200, { ...json, 'content-length': 100 }).write('{', () => response.destroy())
    },
    { mode },
  )
  await expect(asked(`${url}${path}?token=secret`)).rejects.toThrow()
  expect([troubles, seen]).toEqual([
    [`GET ${path}: the upstream server closed the connection early (ECONNRESET)`],
    [],
  ])
})

it('an upstream with an address of IPv6', async ({ skip }) => {
  const { url } = await between((_request, response) => response.writeHead(200, json).end(good), {
    host: '::1',
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return skip('there is no IPv6 here')
    throw error
  })
  expect((await asked(`${url}${path}`)).bytes.toString()).toBe(good)
})

it.each(['report', 'fail'] as const)('bodies for which there is no room pass unjudged: %s', async (mode) => {
  const large = Buffer.from(`{"text":"${'x'.repeat(300_000)}"}`)
  const responses: ServerResponse[] = []
  const { url, seen, troubles } = await between(
    (request, response) => {
      response.writeHead(200, json)
      if (request.url === '/small') response.end('{}')
      else response.write(large.subarray(0, 200_000), () => responses.push(response))
    },
    { mode, room: 500_000 },
  )
  const all = Promise.all([1, 2, 3].map((number) => asked(`${url}/large/${number}`)))
  await vi.waitFor(() => expect(responses).toHaveLength(3))
  // What was sent before this has come to the proxy: all three wait there at the same time.
  await asked(`${url}/small`)
  seen.length = 0
  for (const response of responses) response.end(large.subarray(200_000))
  for (const { response, bytes } of await all) {
    expect(response.statusCode).toBe(200)
    expect(bytes.equals(large)).toBe(true)
  }
  const unjudged = seen.filter((line) => line.includes('there is no room'))
  expect(unjudged.length).toBeGreaterThan(0)
  expect(seen).toHaveLength(3)
  // All of the room is free again.
  seen.length = 0
  responses.length = 0
  const alone = asked(`${url}/large/4`)
  await vi.waitFor(() => expect(responses).toHaveLength(1))
  responses[0]?.end(large.subarray(200_000))
  expect((await alone).bytes.equals(large)).toBe(true)
  expect([seen, troubles]).toEqual([['GET 200 true'], []])
})
