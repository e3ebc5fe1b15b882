/** A run against a server with rate limits. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { runCheck } from '../judging/run-check.ts'
import { createSession } from '../session/create-session.ts'
import { smokeCheck } from '../smoke/smoke.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import type { Session } from '../vocabulary/session.ts'

const plain = { role: 'plain', name: 'plain' }
const requirements = new Map([['a.must', madeUpRequirement('a.must')]])

let server: TestServer
let session: Session
/** What a request gets that is not rejected. */
let given: { status: number; body: unknown }
/** How many of the next requests are rejected, and with which header. */
let rejections = 0
let retryAfter: string | undefined
let asked = 0
let waits: number[] = []

beforeEach(async () => {
  ;[rejections, retryAfter, asked, waits] = [0, undefined, 0, []]
  given = { status: 200, body: { id: 'r1' } }
  server = await startTestServer((request, response) => {
    request.resume()
    asked += 1
    const limited = rejections-- > 0
    response.writeHead(limited ? 429 : given.status, {
      'content-type': 'application/json',
      ...(limited && retryAfter !== undefined ? { 'retry-after': retryAfter } : {}),
    })
    response.end(JSON.stringify(given.body))
  })
  session = createSession(
    {
      baseUrl: server.url,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { plain },
      credentials: {},
    },
    {
      requirements,
      pause: async (ms) => void waits.push(ms),
    },
    { seed: 1 },
  )
})

afterEach(async () => {
  await session.close()
  server.close()
})

const run = (body: CheckBody) => runCheck({ id: 'a.must', body }, session, { earlier: new Map() })

describe('a 429', () => {
  it.each<[string, CheckBody]>([
    ['request', async ({ api }) => void (await api.view(plain, 'r1'))],
    [
      'raw request',
      async ({ api }) => void (await api.raw({ method: 'GET', path: api.path.record(plain, 'r1') })),
    ],
  ])('without a time is retried, with longer waits: a %s', async (_, body) => {
    rejections = 3
    const { finding } = await run(body)
    expect(finding?.status).toBe('pass')
    expect(waits).toEqual([1_000, 2_000, 4_000])
  })

  it('is retried after the time that the server specifies', async () => {
    ;[rejections, retryAfter] = [2, '3']
    await run(async ({ api }) => void (await api.view(plain, 'r1')))
    expect(waits).toEqual([3_000, 3_000])
  })

  it('for an entry of a batch says nothing about the server', async () => {
    const response = { status: 429, message: 'Too many requests.' }
    given = { status: 400, body: { data: { requests: { 20: { code: 'batch_request_failed', response } } } } }
    const { finding } = await run(async ({ api }) => {
      const { status } = await api.batch([{ method: 'POST', url: api.path.records(plain), body: {} }])
      expect(status).toBe(200)
    })
    expect(finding).toMatchObject({ status: 'untestable', hint: expect.stringContaining('--rate') })
  })

  it('and the wait for it are counted for the report', async () => {
    expect(session.transport.rateLimit()).toBeUndefined()
    rejections = 2
    await run(async ({ api }) => void (await api.view(plain, 'r1')))
    expect(session.transport.rateLimit()).toEqual({
      rejected: 2,
      operations: { viewRecord: 2 },
      waitedMs: expect.any(Number),
    })
  })

  it('that does not end says nothing about the server, and leaves nothing behind', async () => {
    rejections = 1_000
    const { finding } = await run(async ({ api }) => void (await api.create(plain, { id: 'mine' })))
    expect(finding).toMatchObject({ status: 'untestable', hint: expect.stringContaining('--rate') })
    expect(asked).toBe(5)
    expect(session.cleanup.leftovers.all).toEqual([])
    expect(session.cleanup.pendingCreates).toEqual([])
  })

  it('names its operation if its Retry-After is longer than a run waits', async () => {
    ;[rejections, retryAfter] = [1_000, '57']
    const { finding } = await run(async ({ api }) => {
      await api.authWithPassword(plain, { identity: 'a', password: 'b' })
    })
    expect(finding).toMatchObject({
      status: 'untestable',
      message: expect.stringContaining('limits authWithPassword (429), and its Retry-After is longer'),
      hint: 'lift the limit of authWithPassword for the test',
    })
    expect(waits).toEqual([])
  })

  it('is a response if attempts for one code are counted', async () => {
    rejections = 1_000
    const { finding } = await run(async ({ api }) => {
      expect((await api.counting().authWithOtp(plain, { otpId: 'a', password: '1' })).status).toBe(429)
    })
    expect(finding?.status).toBe('pass')
    expect([asked, waits]).toEqual([1, []])
  })

  it('is retried if attempts are not counted, even for a sign-in by code', async () => {
    rejections = 2
    const { finding } = await run(async ({ api }) => {
      expect((await api.authWithOtp(plain, { otpId: 'a', password: '1' })).status).not.toBe(429)
    })
    expect(finding?.status).toBe('pass')
    expect(waits).toEqual([1_000, 2_000])
  })

  it('that ended shared set-up does not affect the next check', async () => {
    const shares: CheckBody = async ({ api, once }) =>
      void (await once('shared', async () => (await api.view(plain, 'r1')).status))
    rejections = 5
    expect((await run(shares)).finding?.status).toBe('untestable')
    expect((await run(shares)).finding?.status).toBe('pass')
    const before = asked
    expect((await run(shares)).finding?.status).toBe('pass')
    expect(asked).toBe(before)
  })

  it('during the smoke check does not end the run: a note names it', async () => {
    rejections = 1_000
    const { notes } = await smokeCheck(session)
    expect(notes.join()).toContain('limits the request rate (429)')
  })

  it('is no longer waited for after five requests in a row that waited in vain, until there is another response', async () => {
    rejections = 5 * 5 + 2
    const view: CheckBody = async ({ api }) => void (await api.view(plain, 'r1'))
    for (let count = 0; count < 7; count += 1) expect((await run(view)).finding?.status).toBe('untestable')
    expect([asked, waits.length]).toEqual([27, 20])
    expect((await run(view)).finding?.status).toBe('pass')
    rejections = 1
    expect((await run(view)).finding?.status).toBe('pass')
    expect(waits.length).toBe(21)
  })
})
