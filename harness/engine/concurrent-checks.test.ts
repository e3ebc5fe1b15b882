import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'
import { ConcurrentChecks, checksAtOnce } from './concurrent-checks.ts'

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms)

it.each<[string, number[], number | undefined, number]>([
  ['a quick server', times(30, 3), undefined, 1],
  ['a quick server on a busy machine', [...times(10, 5), ...times(20, 400)], undefined, 1],
  ['a slow server', times(30, 150), undefined, 16],
  ['a slow server that may get few concurrent requests', times(30, 150), 4, 4],
  ['a server that has not responded', [], undefined, 1],
])('at %s', (_, responses, most, expected) => {
  expect(checksAtOnce(responses, most)).toBe(expected)
})

it('keeps what a check left when it throws, and lets the others end', async () => {
  const server = await startTestServer((_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), 50)
  })
  const first = createSession(
    { baseUrl: server.url, binding: { prefix: '/api/v1' }, capabilities: {}, tables: {}, credentials: {} },
    { requirements: new Map() },
    { seed: 1 },
  )
  onTestFinished(async () => {
    await first.close()
    await server.close()
  })
  const concurrent = new ConcurrentChecks(first)
  const checks = ['a', 'b'].map((id) => ({ id, suite: 'document/x' }))
  const statuses: number[] = []
  const running = concurrent.run(
    checks,
    2,
    new AbortController().signal,
    () => true,
    async ({ id }, own) => {
      if (id === 'a') {
        await sleep(5)
        own.cleanup.leftovers.reportWithoutId('notes', 'it may exist')
        throw new Error('of a')
      }
      const response = await own.api('guest').raw({ method: 'GET', path: '/api/v1/', headers: {} })
      statuses.push(response.status)
    },
  )
  await expect(running).rejects.toThrow('of a')
  expect(statuses).toEqual([200])
  expect(first.cleanup.leftovers.all).toMatchObject([{ table: 'notes' }])
  expect([concurrent.requests, concurrent.seen().sent.reads]).toEqual([1, 1])
})
