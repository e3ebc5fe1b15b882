/** What ends a run early: the other assignment fails, or the user stops it. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { builtFrom } from '../../test/support/built-thread.ts'
import { loadSuites } from '../planning/suites.ts'
import { runConformance } from '../run.ts'
import { startEmbedded } from '../target/embedded.ts'
import type { Target } from '../vocabulary/target.ts'
import { runAssignments } from './engine.ts'
import type { News } from './messages.ts'
import { runAssignment } from './run-assignment.ts'

vi.mock('../support/start-thread.ts', async (original) => {
  const { startThread } = await original<typeof import('../support/start-thread.ts')>()
  return { startThread: (module: URL, data: unknown) => startThread(builtFrom(module), data) }
})

const recordId = { id: 'record.id', suite: 'document/records/fields' }
const persists = { id: 'create.persists', suite: 'document/records/effects' }

async function embedded(): Promise<Target> {
  const { target, close } = await startEmbedded({ seed: 3 })
  onTestFinished(() => close())
  return target
}

const assignmentOf = (target: Target, checks = [recordId]) => ({
  target,
  checks,
  session: { seed: 3 },
  bail: false,
})

// Two threads load half of the suites.
it.runIf(inFull)('an assignment without a target stops the other', async () => {
  const checks = (await loadSuites()).map(({ id, suite }) => ({ id, suite }))
  const assignment = assignmentOf(await embedded(), checks)
  const lost = { ...assignment, target: { ...assignment.target, baseUrl: 'http://127.0.0.1:9' } }
  const finding = vi.fn()
  const events = { smoke() {}, finding }
  await expect(runAssignments([lost, assignment], events)).rejects.toThrow(/is not reachable/)
  // Of more than four hundred.
  expect(finding.mock.calls.length).toBeLessThan(200)
})

it('only the run handles Ctrl-C, from the start', async () => {
  const target = await embedded()
  const listening = () => [process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]
  const before = listening()
  const seen = new Set<string>()
  const looking = setInterval(() => seen.add(String(listening())), 1)
  await runAssignments([assignmentOf(target)], { smoke() {}, finding() {} })
  clearInterval(looking)
  expect([...seen]).toEqual([String(before)])
})

it('sends no request if its signal is aborted before it begins', async () => {
  const { requests } = await runConformance({ only: ['list'], signal: AbortSignal.abort() })
  expect(requests).toBe(0)
})

it('a run can be stopped while the smoke check waits for its turn', async () => {
  const stop = new AbortController()
  const server = createServer((_request, response) => {
    setTimeout(() => stop.abort(), 200)
    response.writeHead(429, { 'retry-after': '25' }).end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const target: Target = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    binding: { prefix: '/api/v1' },
    capabilities: {},
    tables: {},
    credentials: {},
  } as unknown as Target
  const begin = performance.now()
  const result = await runAssignments([assignmentOf(target)], { smoke() {}, finding() {} }, stop.signal)
  expect(result).toMatchObject({ stopped: true, errors: [], findings: [] })
  // Without the stop, it would wait three times 25 seconds.
  expect(performance.now() - begin).toBeLessThan(60_000)
})

it('a run is complete if it is stopped during the clean-up after the last finding', async () => {
  const stop = new AbortController()
  const events = { smoke() {}, finding: () => stop.abort() }
  const result = await runAssignments([assignmentOf(await embedded())], events, stop.signal)
  expect(result).toMatchObject({ stopped: false, errors: [], findings: [{ status: 'pass' }] })
})

it.each([
  [1, true],
  [2, false],
])('is stopped after finding %i of 2: %s', async (last, isStopped) => {
  const stop = new AbortController()
  const news: News[] = []
  let findings = 0
  await runAssignment(assignmentOf(await embedded(), [recordId, persists]), stop.signal, (each) => {
    news.push(each)
    if (each.finding !== undefined && ++findings === last) stop.abort()
  })
  expect(findings).toBe(last)
  expect(news.some(({ ended }) => ended === 'stopped')).toBe(isStopped)
  expect(news.at(-1)?.end).toMatchObject({ leftovers: [] })
})

it('judges and deletes everything where its journal cannot be written, and says so', async () => {
  const assignment = assignmentOf(await embedded(), [persists])
  const session = { ...assignment.session, journal: join(tmpdir(), 'no-such-folder', 'run.journal') }
  const result = await runAssignments([{ ...assignment, session }], { smoke() {}, finding() {} })
  expect(result).toMatchObject({ errors: [], leftovers: [], findings: [{ status: 'pass' }] })
  expect(result.journalError).toContain('ENOENT')
})

it('ends its workers, which delete what they created, before it rethrows the error of a listener', async () => {
  const target = await embedded()
  const checks = [recordId, persists]
  const count = async () => {
    const url = `${target.baseUrl}/api/v1/collections/${target.tables.plain?.name}/records?perPage=1`
    const headers = { authorization: target.credentials.superuser?.token ?? '' }
    return ((await (await fetch(url, { headers })).json()) as { totalItems: number }).totalItems
  }
  const before = await count()
  const events = {
    smoke() {},
    finding() {
      throw new Error('of the listener')
    },
  }
  await expect(runAssignments([assignmentOf(target, checks)], events)).rejects.toThrow('of the listener')
  expect(await count()).toBe(before)
})
