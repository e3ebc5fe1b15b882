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
    // Answers without reading the body, as servers do with a body that they do not expect.
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

describe('a request that is wrong on purpose', () => {
  it('has a connection of its own, so that what is left of it reaches no other request', async () => {
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
