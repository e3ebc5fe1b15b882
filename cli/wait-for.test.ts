import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { waitFor } from './wait-for.ts'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

it('ends when the server has started', async () => {
  const port = await freePort()
  const server = createServer((_request, response) => response.end())
  const waiting = waitFor(`http://127.0.0.1:${port}`, 30)
  setTimeout(() => server.listen(port, '127.0.0.1'), 300)
  await waiting
  expect(server.listening).toBe(true)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('says when nothing started in time', async () => {
  const port = await freePort()
  await expect(waitFor(`http://127.0.0.1:${port}/api`, 0.3)).rejects.toMatchObject({
    name: 'ConfigurationError',
    fact: `nothing accepted connections at http://127.0.0.1:${port} within 0.3 s`,
    place: '--wait 0.3',
  })
})
