/**
 * The way from a check to a finding, against a server of a few lines that can be told to misbehave.
 */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Need, Requirement } from '../../spec/vocabulary.ts'
import { createSession, type Session, type SessionOptions } from '../session.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import type { Target } from '../vocabulary/target.ts'
import { createValidator, type Validator } from '../wire/validator.ts'
import { BlockedError, expectEqual, expectThat } from './expect.ts'
import { type CheckRun, runCheck } from './run-check.ts'
import { startChecking } from './run-checks.ts'
import { verdictOf } from './verdict.ts'

const records = new Map<string, Record<string, unknown>>()
/** What makes an answer to a create a whole record. */
const everyRecord = {
  collectionId: 'plain',
  collectionName: 'plain',
  created: '2024-02-29 12:00:00.000Z',
  updated: '2024-02-29 12:00:00.000Z',
}
let server: Server
let session: Session
let hang = false
let gone = false
let refuseDeletes = false
let mute = false

function requirement(id: string, more: Partial<Requirement> = {}): Requirement {
  const sources = [{ section: '2.1', place: 'row id', hash: '00000000' }]
  return {
    id,
    statement: 'It MUST.',
    level: 'MUST',
    basis: 'stated',
    sources,
    operations: [],
    needs: [],
    after: [],
    ...more,
  }
}

const requirements = new Map(
  [
    requirement('a.must'),
    requirement('a.should', { level: 'SHOULD' }),
    requirement('a.profile', { basis: 'profile', sources: [], gap: 'list.paging' }),
    requirement('a.after', { after: ['a.must'] }),
    requirement('needs.batch', { needs: ['write', 'capability:batch'] }),
    ...(['table:nowhere', 'capability:teleport', 'actor:nobody', 'hook:clock'] as Need[]).map((need) =>
      requirement(`needs.${need.split(':')[0]}`, { needs: [need] }),
    ),
  ].map((each) => [each.id, each]),
)

const plain = { role: 'plain', name: 'plain' }

/** Milliseconds in which a busy machine answers, too: for tests in which something is never answered. */
const timeout = 1_500

async function start(
  options: Partial<SessionOptions> = {},
  target: Partial<Target> = {},
  validator?: Validator,
): Promise<void> {
  const { port } = server.address() as AddressInfo
  const complete: Target = {
    baseUrl: `http://127.0.0.1:${port}`,
    profile: 'standard',
    binding: { prefix: '/api/v1' },
    capabilities: {},
    tables: { plain },
    credentials: { superuser: { token: 'the-token-of-the-superuser' } },
    ...target,
  }
  await session?.close()
  session = createSession(
    complete,
    { requirements, ...(validator && { validator }) },
    { seed: 5, ...options },
  )
}

const run = (id: string, body: CheckBody, more: Partial<CheckRun> = {}) =>
  runCheck({ id, body }, session, { known: new Map(), ...more })

beforeEach(async () => {
  records.clear()
  hang = false
  gone = false
  refuseDeletes = false
  mute = false
  let next = 0
  server = createServer(async (request, response) => {
    if (gone) return
    if (hang && request.url !== '/api/v1/') return
    let text = ''
    for await (const chunk of request) text += chunk
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const id = pathname.split('/').at(-1) ?? ''
    const send = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (request.method === 'POST') {
      const record = { ...everyRecord, id: `r${next++}`, ...JSON.parse(text) }
      if (record.title === '') return send(400, { status: 400 })
      records.set(record.id, record)
      if (mute) return void request.socket.destroy()
      return send(200, searchParams.has('fields') ? { title: record.title } : record)
    }
    if (request.method === 'DELETE' && refuseDeletes) return send(409, { no: request.headers.authorization })
    if (request.method === 'DELETE') return send(records.delete(id) ? 204 : 404)
    return records.has(id) ? send(200, records.get(id)) : send(404, { status: 404 })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await start()
})

afterEach(async () => {
  await session.close()
  server.closeAllConnections()
  server.close()
})

describe('what cannot be deleted', () => {
  it('is reported without the secrets that the server shows in its refusal', async () => {
    refuseDeletes = true
    await run('a.must', async ({ make }) => void (await make(plain, { title: 'x' })))
    const [leftover] = session.ledger.leftovers
    expect(leftover?.reason).toContain('409')
    expect(leftover?.reason).not.toContain('the-token-of-the-superuser')
  })

  it('is not asked about one by one when the target is gone', async () => {
    await start({ timeout })
    await run('a.must', async ({ make }) => {
      for (const title of ['x', 'y', 'z']) await make(plain, { title })
      gone = true
    })
    expect(session.ledger.leftovers).toHaveLength(3)
    expect(session.recorder.requests).toBe(4)
  })
})

describe('a finding', () => {
  it('says how to repeat it on the same target', async () => {
    await start({ invocation: '--base-url http://h' })
    const { finding } = await run('a.must', async () => expectThat(false, 'no'))
    expect(finding?.replay?.command).toBe('npx conformance --base-url http://h --only a.must --seed 5')
  })
})

describe('a check that holds', () => {
  it('passes, and what it created is gone', async () => {
    const { finding } = await run('a.must', async ({ make }) => {
      await make(plain, { title: 'x' })
      expect(records.size).toBe(1)
    })
    expect(finding).toMatchObject({ status: 'pass', message: '', source: '2.1', exchanges: [], requests: 1 })
    expect(records.size).toBe(0)
    expect(session.ledger.leftovers).toEqual([])
  })

  it('is only observed when it rests on a profile that is not claimed', async () => {
    await start({}, { profile: undefined } as Partial<Target>)
    expect((await run('a.profile', async () => {})).finding?.status).toBe('observed')
  })
})

describe('an expectation that does not hold', () => {
  const body: CheckBody = async ({ api }) => {
    const reply = await api.as('superuser').create(plain, { title: 'x', password: 'hunter2hunter2' })
    expectEqual(reply.text, 'nothing', 'the answer')
  }

  it.each([
    ['a.must', 'fail'],
    ['a.should', 'warn'],
    ['a.profile', 'fail'],
  ])('makes %s %s, with everything needed to see it again and no secret', async (id, status) => {
    const { finding } = await run(id, body)
    expect(finding).toMatchObject({ status, message: 'the answer is not as expected', replay: { seed: 5 } })
    expect(finding?.curl[0]).toContain('-X POST')
    expect(finding?.curl[0]).toContain('"$TOKEN_SUPERUSER"')
    expect(JSON.stringify(finding)).not.toMatch(/the-token-of|hunter2/)
  })

  it('shows the last requests, and says how many were before', async () => {
    const sent = async (count: number) => {
      const { finding } = await run('a.must', async ({ make }) => {
        for (let number = 0; number < count; number++) await make(plain, { title: `n${number}` })
        expectThat(false, 'no')
      })
      return [finding?.message, finding?.exchanges.length]
    }
    expect(await sent(40)).toEqual(['no', 40])
    expect(await sent(43)).toEqual(['no (its first 3 requests are left out)', 40])
  })

  it('blocks what builds on it', async () => {
    const checking = startChecking(session)
    await checking.step({ id: 'a.must', body })
    const { finding } = await checking.step({ id: 'a.after', body: async () => {} })
    expect(finding).toMatchObject({ status: 'blocked', message: 'it builds on a.must, which does not hold' })
  })
})

describe('what cannot be judged', () => {
  it.each([
    ['needs.table', 'untestable'],
    ['needs.actor', 'untestable'],
    ['needs.hook', 'untestable'],
    ['needs.capability', 'not-applicable'],
  ])('%s is %s, and nothing is sent', async (id, status) => {
    const { finding } = await run(id, async () => expectThat(false, 'never run'))
    expect(finding?.status).toBe(status)
    expect(session.recorder.requests).toBe(0)
  })

  it('is blocked by a positive control that is refused', async () => {
    const { finding } = await run('a.must', async ({ api, rejects }) => {
      await rejects({
        control: () => api.create(plain, { title: '' }),
        attempt: () => api.create(plain, { title: '' }),
      })
    })
    expect(finding?.status).toBe('blocked')
    expect(
      (
        await run('a.must', async () => {
          throw new BlockedError('so')
        })
      ).finding?.status,
    ).toBe('blocked')
  })

  it('fails a refusal that does not come', async () => {
    const { finding } = await run('a.must', async ({ api, rejects }) => {
      await rejects({
        control: () => api.create(plain, { title: 'x' }),
        attempt: () => api.create(plain, { title: 'y' }),
      })
    })
    expect(finding?.status).toBe('fail')
    expect(records.size).toBe(0)
  })

  it('sends nothing but reads when the run is read-only', async () => {
    await start({ readOnly: true })
    const { finding } = await run('a.must', async ({ api }) => void (await api.create(plain, {})))
    expect(finding).toMatchObject({ status: 'untestable', hint: 'leave out --read-only' })
  })

  it('says of no capability that it lacks what a read-only run could not ask for', async () => {
    await start({ readOnly: true })
    const unasked = await run('needs.batch', async () => {})
    expect(unasked.finding).toMatchObject({
      status: 'untestable',
      message: 'the run is read-only',
      hint: 'leave out --read-only',
    })
    await start({ readOnly: true }, { capabilities: { batch: false } })
    const lacking = await run('needs.batch', async () => {})
    expect(lacking.finding?.status).toBe('not-applicable')
  })
})

describe('exceptions that are no expectations', () => {
  it('are errors of the run, never findings', async () => {
    const { finding, error } = await run('a.must', async () => {
      throw new TypeError('ours')
    })
    expect(finding).toBeUndefined()
    expect(error).toMatchObject({ place: 'a.must', message: 'ours' })
  })

  it.each<[string, CheckBody]>([
    ['a query', async ({ api }) => void (await api.list(plain, { page: 'x' }))],
    ['a body', async ({ api }) => void (await api.authWithPassword(plain, {}))],
  ])('a request of ours against the description is one, and ends with 2: %s', async (_, body) => {
    await start({}, {}, createValidator())
    const { finding, error } = await run('a.must', body)
    expect(finding).toBeUndefined()
    expect(error?.message).toMatch(/the suite's own \w+ request does not follow the description/)
    expect(session.recorder.requests).toBe(0)
    const profile = { name: 'standard', claimed: true }
    const errors = error === undefined ? [] : [error]
    expect(verdictOf({ findings: [], errors, profile }).exitCode).toBe(2)
  })

  it('a server that lives and does not answer has broken the expectation', async () => {
    await start({ timeout })
    const { finding } = await run('a.must', async ({ api }) => {
      hang = true
      await api.view(plain, 'x')
    })
    hang = false
    expect(finding).toMatchObject({ status: 'fail', expected: 'a complete HTTP response' })
  })

  it('a server that is gone ends the run', async () => {
    const { error, end, finding } = await run('a.must', async ({ api }) => {
      server.closeAllConnections()
      server.close()
      await api.view(plain, 'x')
    })
    expect([finding, end]).toEqual([undefined, 'lost'])
    expect(error?.message).toMatch(/does not answer any more/)
  })

  it('a stopped check leaves nothing behind', async () => {
    const stop = new AbortController()
    const outcome = await run(
      'a.must',
      async ({ property, make }) => {
        await property([fc.nat()], async (_number) => {
          stop.abort()
          await make(plain, { title: 'x' })
        })
      },
      { signal: stop.signal },
    )
    expect(outcome).toEqual({ end: 'stopped' })
    expect(records.size).toBe(0)
  })

  it('a branch of a stopped check that nobody waits for creates nothing while the clean-up goes on', async () => {
    const stop = new AbortController()
    let branch: Promise<unknown> = Promise.resolve()
    await run(
      'a.must',
      async ({ api, make }) => {
        for (let count = 0; count < 20; count++) await make(plain, { title: 'x' })
        stop.abort()
        branch = (async () => {
          for (let count = 0; count < 1_000; count++)
            await api
              .create(plain, { title: 'late' })
              .catch(() => new Promise((later) => setTimeout(later, 1)))
        })()
        await make(plain, { title: 'y' })
      },
      { signal: stop.signal },
    )
    await session.ledger.cleanKept()
    await branch
    expect(records.size).toBe(0)
  })
})

describe('what is created', () => {
  it('is deleted when only the request told its id', async () => {
    await run(
      'a.must',
      async ({ api }) => void (await api.create(plain, { id: 'mine' }, { fields: 'title' })),
    )
    expect(records.size).toBe(0)
    expect(session.ledger.leftovers).toEqual([])
  })

  it('is a leftover when nothing told its id', async () => {
    await run(
      'a.must',
      async ({ api }) => void (await api.create(plain, { title: 'x' }, { fields: 'title' })),
    )
    expect(records.size).toBe(1)
    expect(session.ledger.leftovers).toMatchObject([{ table: 'plain', id: 'unknown' }])
  })
})

describe('what may have been created, since no answer came to its creation,', () => {
  const entry = (body: Record<string, unknown>) => ({
    method: 'POST',
    url: '/api/v1/collections/plain/records',
    body,
  })

  it('is deleted when the request told its id', async () => {
    mute = true
    const { finding } = await run(
      'a.must',
      async ({ api }) => void (await api.create(plain, { id: 'mine', title: 'x' })),
    )
    expect(finding?.status).toBe('fail')
    expect(records.size).toBe(0)
    expect(session.ledger.leftovers).toEqual([])
  })

  it.each<[string, number, CheckBody]>([
    ['record', 1, async ({ api }) => void (await api.create(plain, { title: 'x' }))],
    [
      'batch',
      2,
      async ({ api }) => void (await api.batch([entry({ title: 'x' }), entry({ id: 'y' }), entry({})])),
    ],
  ])('is a leftover when it did not: a %s', async (_, count, body) => {
    mute = true
    await run('a.must', body)
    const left = Array.from({ length: count }, () => ({
      table: 'plain',
      id: 'unknown',
      reason: 'its creation was sent, and no answer came: it may be there',
    }))
    expect(session.ledger.leftovers).toEqual(left)
  })

  it('is none when the request never reached the server', async () => {
    server.closeAllConnections()
    server.close()
    await run('a.must', async ({ api }) => void (await api.create(plain, { title: 'x' })))
    expect(session.ledger.leftovers).toEqual([])
  })
})

describe('a property', () => {
  const body: CheckBody = async ({ property, make }) => {
    await property([fc.array(fc.integer({ min: 0, max: 100 }))], async (numbers) => {
      for (const number of numbers) await make(plain, { title: `n${number}` })
      expectThat(!numbers.some((number) => number >= 10), 'a number of ten or more')
    })
  }

  it('is shrunk to the fewest requests, and only those are shown', async () => {
    const { finding } = await run('a.must', body)
    expect(finding?.message).toContain('example [[10]]')
    expect(finding?.exchanges.map(({ request }) => request.body)).toEqual(['{"title":"n10"}'])
    expect(records.size).toBe(0)
  })

  it('is shown whole, with what was made for it, and without the examples of another property', async () => {
    const bodies = async (count: number) => {
      const { finding } = await run('a.must', async ({ property, make }) => {
        await make(plain, { title: 'before' })
        await property([fc.constant(0)], async (_) => void (await make(plain, { title: 'of another' })))
        await make(plain, { title: 'between' })
        await property([fc.constant(0)], async (_) => {
          for (let number = 0; number < count; number++) await make(plain, { title: `n${number}` })
          expectThat(false, 'no')
        })
      })
      expect(finding?.curl.length).toBe(finding?.exchanges.length)
      const titles = finding?.exchanges.map(({ request }) => JSON.parse(request.body).title as string)
      return { titles, message: finding?.message }
    }
    const { titles, message } = await bodies(20)
    expect(titles).toEqual(['before', 'between', ...Array.from({ length: 20 }, (_, at) => `n${at}`)])
    expect(message).not.toContain('left out')
    const many = await bodies(210)
    expect(many.titles).toHaveLength(200)
    expect(many.titles?.at(-1)).toBe('n209')
    expect(many.message).toContain('its first 12 requests are left out')
  })

  it('is replayed by its path alone', async () => {
    const { finding } = await run('a.must', body)
    const before = session.recorder.requests
    const again = await run('a.must', body, { path: finding?.replay?.path ?? '' })
    expect(again.finding?.message).toContain('example [[10]]')
    expect(session.recorder.requests - before).toBe(2)
    expect(finding?.replay?.command).toBe(
      `npx conformance --only a.must --seed 5 --path '${finding?.replay?.path}'`,
    )
  })

  const two: CheckBody = async ({ property, make }) => {
    await property([fc.nat()], async (_number) => void (await make(plain, { title: 'of the first' })))
    await property([fc.nat()], async (number) => {
      await make(plain, { title: 'of the second' })
      expectThat(number < 10, 'a number of ten or more')
    })
  }

  it('is replayed without the others of its check', async () => {
    const { finding } = await run('a.must', two)
    expect(finding?.replay?.path).toMatch(/^1\//)
    const before = session.recorder.requests
    const again = await run('a.must', two, { path: finding?.replay?.path ?? '' })
    expect(again.finding?.message).toContain('example [10]')
    expect(session.recorder.requests - before).toBe(2)
  })

  it.each(['7/1:2', 'x', '1/2/3'])(
    'is not replayed by the path %s: that is a mistake, no pass',
    async (path) => {
      const { finding, error, end } = await run('a.must', two, { path })
      expect([finding, end]).toEqual([undefined, 'configuration'])
      expect(error?.message).toContain(`--path ${path}`)
    },
  )

  it('sends the same requests for the same seed', async () => {
    const urls = async () => {
      await start()
      const { finding } = await run('a.must', body)
      return [finding?.requests, finding?.replay]
    }
    expect(await urls()).toEqual(await urls())
  })
})

describe('the time of a check', () => {
  it('does not run while a request waits for its turn', async () => {
    await start({ rate: 20, checkTimeout: 450 })
    const { finding, error } = await run('a.must', async ({ api }) => {
      for (let count = 0; count < 12; count++) await api.view(plain, 'x')
    })
    expect([finding?.status, error]).toEqual(['pass', undefined])
  })

  it('runs out however slow the rate is', async () => {
    await start({ rate: 20, checkTimeout: 100 })
    const { error } = await run('a.must', async ({ api, signal }) => {
      for (let count = 0; count < 4; count++) await api.view(plain, 'x')
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    })
    expect(error?.message).toContain('longer than 100 ms')
  })
})
