import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ConfigurationError } from '../harness/errors.ts'
import { nextChange, type WatchEvent, type Watched, watchRuns } from './watch-run.ts'

async function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Where a target file can be, in a folder that is gone when the test is finished. */
function targetPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'watch-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'target.json')
}

const never = () => new AbortController().signal

/** Resolves once it reports that it waits. */
async function waited(watched: Watched, signal = never()) {
  let change: Promise<WatchEvent> = Promise.resolve(undefined)
  await new Promise<void>((resolve) => {
    change = nextChange(watched, signal, resolve)
  })
  // In a list: a promise would be awaited.
  return [change] as const
}

/** Resolves once a change of the file was noticed and its content compared, which takes 80 ms. */
async function compared(file: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(dirname(file), () => {
      watcher.close()
      resolve()
    })
  })
  await sleep(150)
}

/** Resolves once an attempt of this process to connect to the port has failed. */
function refused(port: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (message: unknown) =>
      (message as { socket: Socket }).socket.once('error', (error: Error & { port?: number }) => {
        if (error.port !== port) return
        unsubscribe('net.client.socket', look)
        resolve()
      })
    subscribe('net.client.socket', look)
  })
}

it('ends when the target file has changed, and not when it was only written again', async () => {
  const file = targetPath()
  writeFileSync(file, '{}')
  const reported = vi.fn()
  const [change] = await waited({ file })
  void change.then(reported)
  const looked = compared(file)
  writeFileSync(file, '{}')
  await looked
  expect(reported).not.toHaveBeenCalled()
  writeFileSync(file, '{"a":1}')
  expect(await change).toBe('file')
})

it('ends when the target file changed while it was in use', async () => {
  const file = targetPath()
  writeFileSync(file, '{"a":1}')
  expect(await nextChange({ file, content: Buffer.from('{}') }, never())).toBe('file')
})

it('reports that it waits once a restart of the server is not missed', async () => {
  const first = await listen()
  let restarted: Promise<Server> | undefined
  const change = nextChange({ baseUrl: `http://127.0.0.1:${first.port}` }, never(), () => {
    const gone = refused(first.port)
    restarted = close(first.server)
      .then(() => gone)
      .then(async () => (await listen(first.port)).server)
  })
  expect(await change).toBe('server')
  if (restarted === undefined) throw new Error('it did not report that it waits')
  await close(await restarted)
})

it('ends when a server that was gone accepts connections again', async () => {
  const first = await listen()
  const [change] = await waited({ baseUrl: `http://127.0.0.1:${first.port}` })
  const gone = refused(first.port)
  await close(first.server)
  await gone
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
  const connected = once(server, 'connection')
  const [change] = await waited({ baseUrl: `http://127.0.0.1:${port}` }, controller.signal)
  await connected
  // After the second time, it has seen that the first was no restart.
  for (let time = 0; time < 2; time += 1) {
    const again = once(server, 'connection')
    server.closeAllConnections()
    await again
  }
  controller.abort()
  expect(await change).toBe(undefined)
  await close(server)
})

it('ends immediately if it was stopped before', async () => {
  expect(await nextChange({}, AbortSignal.abort())).toBe(undefined)
})

it('ends with an error about an argument, which no change corrects', async () => {
  const wrong = new ConfigurationError('nothing matches', '--only lits', 'did you mean list?')
  const run = vi.fn(() => Promise.reject(wrong))
  await expect(watchRuns({ baseUrl: 'http://127.0.0.1:1' }, run)).rejects.toBe(wrong)
  expect(run).toHaveBeenCalledOnce()
})
