import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { nextChange } from './watch-run.ts'

async function listen(port = 0, keepAliveTimeout = 5_000): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end())
  server.keepAliveTimeout = keepAliveTimeout
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

const never = () => new AbortController().signal

it('ends when the target file has changed, and not when it was only written again', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'watch-run-')), 'target.json')
  writeFileSync(file, '{}')
  const change = nextChange({ file }, never())
  await sleep(200)
  writeFileSync(file, '{}')
  await sleep(200)
  writeFileSync(file, '{"a":1}')
  expect(await change).toBe('file')
})

it('ends when the target file changed while it was in use', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'watch-run-')), 'target.json')
  writeFileSync(file, '{"a":1}')
  expect(await nextChange({ file, content: Buffer.from('{}') }, never())).toBe('file')
})

it('reports that it waits once a restart of the server is not missed', async () => {
  const first = await listen()
  let restarted: Promise<Server> | undefined
  const change = nextChange({ baseUrl: `http://127.0.0.1:${first.port}` }, never(), () => {
    restarted = close(first.server)
      .then(() => sleep(300))
      .then(async () => (await listen(first.port)).server)
  })
  expect(await change).toBe('server')
  if (restarted === undefined) throw new Error('it did not report that it waits')
  await close(await restarted)
})

it('ends when a server that was gone accepts connections again', async () => {
  const first = await listen()
  const change = nextChange({ baseUrl: `http://127.0.0.1:${first.port}` }, never())
  await sleep(150)
  await close(first.server)
  await sleep(300)
  const { server } = await listen(first.port)
  try {
    expect(await change).toBe('server')
  } finally {
    await close(server)
  }
})

it('does not end when a server closes an idle connection', async () => {
  const { server, port } = await listen()
  const controller = new AbortController()
  const change = nextChange({ baseUrl: `http://127.0.0.1:${port}` }, controller.signal)
  await sleep(150)
  server.closeAllConnections()
  await sleep(500)
  controller.abort()
  expect(await change).toBe(undefined)
  await close(server)
})

it('ends at once when it was stopped before', async () => {
  expect(await nextChange({}, AbortSignal.abort())).toBe(undefined)
})
