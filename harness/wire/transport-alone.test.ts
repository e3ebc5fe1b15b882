import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { createTransport, type Transport } from './transport.ts'

/** Connections in the order in which requests came over them. */
const ports: (number | undefined)[] = []
let server: TestServer
let transport: Transport

beforeAll(async () => {
  server = await startTestServer((request, response) => {
    ports.push(request.socket.remotePort)
    // Responds without reading the body, as servers do with an unexpected one.
    response.end('{}')
  })
  transport = createTransport(server.url, {
    concurrency: 1,
  })
})

afterAll(async () => {
  await transport.close()
  server.close()
})

describe('an intentionally invalid request', () => {
  it('has its own connection, so that unread parts do not affect other requests', async () => {
    const plain = { method: 'GET', path: '/', headers: {} }
    await transport.send(plain)
    await transport.send(plain)
    await transport.send({ ...plain, body: 'x'.repeat(100_000), alone: true })
    await transport.send(plain)
    const [first, second, , after] = ports
    expect(second).toBe(first)
    expect(after).not.toBe(ports[2])
  })
})
