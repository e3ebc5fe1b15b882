import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { NetworkError } from '../errors.ts'
import { createTransport, openConnections, type Transport, type TransportOptions } from './transport.ts'

let server: Server
let transport: Transport | undefined
const sockets = new Set<Socket>()
/** First lines of the received requests. */
let asked: string[] = []
/** What the server writes after a request. */
let response: (socket: Socket) => void

beforeEach(async () => {
  asked = []
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      asked.push(String(bytes).split('\r\n', 1)[0] ?? '')
      response(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(async () => {
  await transport?.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  server.close()
})

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function send(options: TransportOptions = {}) {
  transport = createTransport(address(), options)
  return transport.send({ method: 'GET', path: '/x', headers: {} })
}

const faultOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'none',
    ({ fault }: NetworkError) => fault,
  )

const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'

it('joins the chunks of a body, and ignores informational responses', async () => {
  response = (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')
    socket.write(half.replace('200 OK', '200 OK\r\nx-two: a\r\nx-two: b'))
    setTimeout(() => socket.write('world'), 20)
  }
  const { status, headers, bytes } = await send()
  expect([status, headers['x-two'], headers.link, bytes.toString()]).toEqual([
    200,
    'a, b',
    undefined,
    'helloworld',
  ])
})

it.each<[string, (socket: Socket) => void, string]>([
  ['half a body, and no more', (socket) => socket.write(half), 'timeout'],
  ['nothing', () => {}, 'timeout'],
  ['half a body, and the end', (socket) => socket.end(half), 'cut'],
  ['no HTTP', (socket) => socket.end('hello\r\n\r\n'), 'malformed'],
  ['another protocol', (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'), 'cut'],
])('reports what was wrong: %s', async (_, wrong, fault) => {
  response = wrong
  expect(await faultOf(send({ timeout: 300 }))).toBe(fault)
})

it('a request that is abandoned while it waits for a connection is never sent', async () => {
  const received = new Promise<Socket>((resolve) => {
    response = resolve
  })
  const connections = openConnections(address(), 1)
  const first = send({ connections })
  const socket = await received
  const impatient = createTransport(address(), { connections, timeout: 100 })
  expect(await faultOf(impatient.send({ method: 'GET', path: '/second', headers: {} }))).toBe('timeout')
  // Now the only connection is free.
  response = (on) => on.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  response(socket)
  expect((await first).status).toBe(200)
  expect((await impatient.send({ method: 'GET', path: '/third', headers: {} })).status).toBe(200)
  expect(asked).toEqual(['GET /x HTTP/1.1', 'GET /third HTTP/1.1'])
})
