import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { directFetch, usesProxy } from './direct-fetch.ts'

it.each([
  [{}, [], false],
  [{ HTTP_PROXY: 'http://proxy.test' }, [], false],
  [{ NODE_USE_ENV_PROXY: '1' }, [], true],
  [{ NODE_OPTIONS: '--no-warnings --use-env-proxy' }, [], true],
  [{}, ['--use-env-proxy'], true],
])('knows whether Node uses a proxy: %j %j', (environment, flags, expected) => {
  expect(usesProxy(environment, flags)).toBe(expected)
})

it('reaches a server of this machine where Node uses a proxy', async () => {
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('the proxy does not respond')))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
  const server = createServer((request, response) => response.end(request.method)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const response = await directFetch(`http://127.0.0.1:${port}`, { method: 'PUT', redirect: 'manual' })
  expect([response.status, await response.text()]).toEqual([200, 'PUT'])
})
