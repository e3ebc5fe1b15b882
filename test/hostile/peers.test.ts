/**
 * Peers that break off, talk nonsense or change the protocol: every server of this project outlives them and answers
 * the next request. An unhandled error would end the process; Vitest fails the run for one.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startIdentityProvider } from '../../harness/services/identity-provider.ts'
import { startMailSink } from '../../harness/services/mail-sink.ts'
import { serveHooks } from '../../harness/target/hook-server.ts'
import { createReference } from '../../reference/reference.ts'
import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { createConsole } from '../../serve/console/create-console.ts'
import { createControl } from '../../serve/control.ts'
import { startServing } from '../../serve/serving.ts'
import { createValidator } from '../../validate/create-validator.ts'
import { startProxy } from '../../validate/proxy/proxy.ts'

const path = '/api/v1/collections/notes/records'
const tables = [
  {
    name: 'notes',
    listRule: '',
    createRule: '',
    fields: [{ name: 'text', type: 'text' as const }],
  },
]

interface Started {
  url: string
  /** Answers while the server is well. */
  probe(): Promise<number>
  stop(): Promise<unknown>
}

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status

async function startReference(): Promise<Started> {
  const reference = createReference({ tables })
  const { url } = await reference.listen()
  return { url, probe: () => statusOf(url + path), stop: () => reference.close() }
}

async function startServe(): Promise<Started> {
  const data = { tables, records: {}, superusers: [], keys: [], inferred: [] }
  const { url, close } = await startServing({
    data,
    superuser,
    seed: 1,
    handlers: [createConsole, createControl],
  })
  return { url, probe: () => statusOf(url + path), stop: close }
}

async function startProxied(): Promise<Started> {
  const upstream = await startReference()
  const proxy = await startProxy({
    upstream: new URL(upstream.url),
    validator: createValidator({ profile: 'standard' }),
    mode: 'fail',
    onResult: () => {},
    onTrouble: () => {},
  })
  return {
    url: proxy.url,
    probe: () => statusOf(proxy.url + path),
    async stop() {
      await proxy.close()
      await upstream.stop()
    },
  }
}

async function startProvider(): Promise<Started> {
  const { issuer, stop } = await startIdentityProvider()
  return { url: issuer, probe: () => statusOf(`${issuer}/jwks`), stop }
}

async function startHooks(): Promise<Started> {
  const { hooks, close } = await serveHooks({ ask: () => ({}) })
  const address = hooks.ask ?? ''
  return { url: new URL(address).origin, probe: () => statusOf(address, { method: 'POST' }), stop: close }
}

const servers: [name: string, start: () => Promise<Started>][] = [
  ['reference.listen()', startReference],
  ['serve, with console and control endpoints', startServe],
  ['the proxy', startProxied],
  ['the identity provider', startProvider],
  ['the hook server', startHooks],
]

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: 127.0.0.1', ...headers].map((each) => `${each}\r\n`).join('')

/** What is sent before the reset. */
const openings: [name: string, bytes: string][] = [
  ['nothing', ''],
  ['half a request line', `GET ${path.slice(0, 9)}`],
  ['half a head', head(`GET ${path} HTTP/1.1`, 'Accept: */*')],
  ['a request', `${head(`GET ${path} HTTP/1.1`)}\r\n`],
  ['twenty concurrent requests', `${head(`GET ${path} HTTP/1.1`)}\r\n`.repeat(20)],
  ['CONNECT', `${head('CONNECT x:1 HTTP/1.1')}\r\n`],
  ['CONNECT with bytes behind it', `${head('CONNECT x:1 HTTP/1.1')}\r\n\0\0\0\0`],
  ['CONNECT to nowhere', 'CONNECT / HTTP/1.1\r\n\r\n'],
  ['a WebSocket', `${head(`GET ${path} HTTP/1.1`, 'Connection: upgrade', 'Upgrade: websocket')}\r\n`],
  ['HTTP/2 offered', `${head(`GET ${path} HTTP/1.1`, 'Connection: upgrade', 'Upgrade: h2c')}\r\n`],
  ['HTTP/2 unasked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an expectation', `${head(`POST ${path} HTTP/1.1`, 'Expect: 100-continue', 'Content-Length: 9')}\r\n`],
  ['an unknown expectation', `${head(`POST ${path} HTTP/1.1`, 'Expect: x', 'Content-Length: 9')}\r\n`],
  [
    'half a body',
    `${head(`POST ${path} HTTP/1.1`, 'Content-Type: application/json', 'Content-Length: 99')}\r\n{"te`,
  ],
  [
    'half a chunk',
    `${head(`POST ${path} HTTP/1.1`, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}\r\nff\r\n{`,
  ],
  ['a chunk that is none', `${head(`POST ${path} HTTP/1.1`, 'Transfer-Encoding: chunked')}\r\nxyz\r\n`],
  ['garbage', '\0\x01\xff\xfe GET\r\n\r\n'],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an address that is none', `${head('GET http://[ HTTP/1.1')}\r\n`],
  ['an address of another scheme', `${head('GET mailto:x HTTP/1.1')}\r\n`],
  ['an empty address', 'GET  HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two slashes', `${head('GET // HTTP/1.1')}\r\n`],
  ['an asterisk', `${head('OPTIONS * HTTP/1.1')}\r\n`],
  ['malformed escapes', `${head('GET /%ff%/%zz?a=%ff&%=%% HTTP/1.1')}\r\n`],
  ['a Host that no URL takes', `GET ${path} HTTP/1.1\r\nHost: 1.2.3.256\r\n\r\n`],
  ['a Host of another alphabet', `GET ${path} HTTP/1.1\r\nHost: xn--a\r\n\r\n`],
  ['a head without end', `GET ${path} HTTP/1.1\r\nX: ${'x'.repeat(300_000)}`],
  ['thousands of headers', `GET ${path} HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}\r\n`],
]

type Ending = (socket: Socket) => void

const endings: [name: string, end: Ending][] = [
  ['reset', (socket) => socket.resetAndDestroy()],
  ['closed', (socket) => socket.destroy()],
  ['half closed, then reset', (socket) => socket.end(() => setTimeout(() => socket.resetAndDestroy(), 5))],
]

async function misbehave(port: number, bytes: string, end: Ending, patience: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  if (bytes !== '') await new Promise((resolve) => socket.write(bytes, 'latin1', resolve))
  if (patience > 0) await wait(patience)
  const closed = socket.closed ? undefined : once(socket, 'close')
  end(socket)
  await closed
}

describe.each(servers)('%s outlives', (_, start) => {
  it('peers that break off at every point', { timeout: 60_000 }, async () => {
    const { url, probe, stop } = await start()
    const port = Number(new URL(url).port)
    try {
      for (const [, bytes] of openings) {
        for (const [, end] of endings)
          await Promise.all([0, 0, 5].map((patience) => misbehave(port, bytes, end, patience)))
      }
      // An error of a connection arrives after its peer has gone.
      await wait(50)
      expect(await probe()).toBe(200)
    } finally {
      await stop()
    }
  })
})

/** The response to each opening, where its end is waited for. */
async function responseTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let got = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1')
    if (got.includes('\r\n\r\n')) socket.end()
  })
  socket.write(bytes, 'latin1')
  if (!socket.closed) await once(socket, 'close')
  return got
}

it.each(['1.2.3.256', '999.1.1.1', 'xn--a', 'a%zz'])(
  'serve gives no server error for the Host %s',
  async (host) => {
    const { url, stop } = await startServe()
    try {
      for (const target of [path, '/', '/_/', '/_conformance/state', '/_']) {
        const got = await responseTo(
          Number(new URL(url).port),
          `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        )
        expect(got, target).toMatch(/^HTTP\/1\.1 [234]/)
      }
    } finally {
      await stop()
    }
  },
)

it('the mail sink outlives peers that break off at every point', async () => {
  const sink = await startMailSink()
  const lines = ['EHLO x', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', 'Subject: x']
  try {
    for (let said = 0; said <= lines.length; said += 1) {
      for (const [, end] of endings) {
        for (const patience of [0, 5]) {
          const bytes = lines.slice(0, said).map((line) => `${line}\r\n`)
          await misbehave(sink.port, bytes.join(''), end, patience)
        }
      }
    }
    await misbehave(sink.port, '\0\xff\x16\x03\x01\r\n\r\n', (socket) => socket.resetAndDestroy(), 5)
    await wait(50)
    const socket = connect(sink.port, '127.0.0.1')
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    expect(greeting.toString()).toMatch(/^220 /)
    socket.destroy()
  } finally {
    await sink.stop()
  }
})
