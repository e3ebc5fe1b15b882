/** A stop does not wait for the rate limits of a server or the tester; the clean-up does. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { type CheckOutcome, runCheck } from '../judging/run-check.ts'
import { createSession } from '../session/create-session.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Session } from '../vocabulary/session.ts'

const plain = { role: 'plain', name: 'plain' }
/** Before the first create the table is listed. */
const listing = ['GET']
const requirements = new Map([['a.must', madeUpRequirement('a.must')]])

let server: TestServer
let session: Session
let stop: AbortController
/** Methods that are rejected, with the seconds that they should wait. */
let rejected: Record<string, number>
let asked: string[]

beforeEach(async () => {
  ;[rejected, asked, stop] = [{}, [], new AbortController()]
  let record: { id: string } | undefined = { id: 'r1' }
  server = await startTestServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (text !== '') record = { id: 'r1', ...JSON.parse(text) }
    const { method = '' } = request
    asked.push(method)
    const seconds = rejected[method]
    if (method === 'DELETE' && seconds === undefined) record = undefined
    // Once: otherwise the test would depend on how fast the machine is.
    if (method === 'DELETE') delete rejected.DELETE
    const headers = { 'content-type': 'application/json' }
    if (seconds !== undefined) response.writeHead(429, { ...headers, 'retry-after': String(seconds) })
    else if (method === 'DELETE') response.writeHead(204)
    else response.writeHead(record === undefined ? 404 : 200, headers)
    response.end(method === 'DELETE' ? '' : JSON.stringify(record ?? {}))
  })
})

afterEach(async () => {
  await session.close()
  server.close()
})

/** @returns also the milliseconds from the stop to the end of the check */
async function stoppedIn(
  body: CheckBody,
  options: Partial<SessionOptions> = {},
): Promise<CheckOutcome & { took: number }> {
  const baseUrl = server.url
  session = createSession(
    { baseUrl, binding: { prefix: '/api/v1' }, capabilities: {}, tables: { plain }, credentials: {} },
    { requirements },
    { seed: 1, ...options },
  )
  let at = 0
  setTimeout(() => {
    at = performance.now()
    stop.abort()
  }, 3_000)
  const outcome = await runCheck({ id: 'a.must', body }, session, { earlier: new Map(), signal: stop.signal })
  return { ...outcome, took: performance.now() - at }
}

it('a stop does not wait until a rejected request may be sent again', async () => {
  rejected = { POST: 20 }
  const { end, took } = await stoppedIn(
    async ({ api, unique }) => void (await api.create(plain, { title: unique() })),
  )
  expect([end, asked]).toEqual(['stopped', [...listing, 'POST']])
  expect(took).toBeLessThan(5_000)
  expect(session.cleanup.leftovers.all).toEqual([])
})

it('a stop does not wait for a turn', async () => {
  const { end, took } = await stoppedIn(
    async ({ api }) => void (await Promise.all(Array.from({ length: 9 }, () => api.view(plain, 'r1')))),
    { rate: 0.1 },
  )
  expect([end, asked]).toEqual(['stopped', ['GET']])
  expect(took).toBeLessThan(5_000)
})

it('what was created is deleted, however long deletes are rejected', async () => {
  setTimeout(() => {
    rejected = { DELETE: 1 }
  }, 2_500)
  const { end } = await stoppedIn(async ({ api, unique }) => {
    await api.create(plain, { title: unique() })
    rejected = { DELETE: 1, GET: 20 }
    await api.view(plain, 'r1')
  })
  expect([end, asked.filter((method) => method !== 'GET').slice(0, 3)]).toEqual([
    'stopped',
    ['POST', 'DELETE', 'DELETE'],
  ])
  expect(session.cleanup.leftovers.all).toEqual([])
})
