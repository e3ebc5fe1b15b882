/** A bad connection breaks anywhere and causes a retry. A server that drops a request drops it each time and fails. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Break, type Moment, startBadConnections } from '../../scripts/support/bad-connections.ts'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { createSession } from '../session/create-session.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import type { Session } from '../vocabulary/session.ts'
import { expectEqual, expectThat } from './expect.ts'
import { runCheck } from './run-check.ts'

const plain = { role: 'plain', name: 'plain' }
const requirements = new Map(['a.must', 'a.other'].map((id) => [id, madeUpRequirement(id)]))
const records = new Map<string, Record<string, unknown>>()

let session: Session
/** Decides which request breaks: called with each request and its number among the requests with its method. */
let breaks: (method: string, number: number) => Break | undefined
let close: () => Promise<void>
let titles: string[]

beforeEach(async () => {
  records.clear()
  titles = []
  breaks = () => undefined
  let next = 0
  const server = await startTestServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const id = request.url?.split('/').at(-1) ?? ''
    const send = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (request.method === 'POST') {
      const { title } = JSON.parse(text)
      titles.push(title)
      if ([...records.values()].some((each) => each.title === title)) return send(400, {})
      const record = {
        id: `r${next++}`,
        title,
        collectionId: 'p',
        collectionName: 'p',
        created: '',
        updated: '',
      }
      records.set(record.id, record)
      return send(200, record)
    }
    if (request.method === 'DELETE') return send(records.delete(id) ? 204 : 404)
    if (request.url?.includes('records?') === true)
      return send(200, { page: 1, totalPages: 1, items: [...records.values()] })
    return records.has(id) ? send(200, records.get(id)) : send(404, {})
  })
  const counts = new Map<string, number>()
  const proxy = await startBadConnections(server.url, ({ request, line }: Moment) => {
    const [method = '', path = ''] = line.split(' ')
    // A probe is not a request of the check.
    if (request === 0 || path === '/api/v1/') return undefined
    counts.set(method, (counts.get(method) ?? 0) + 1)
    return breaks(method, counts.get(method) ?? 0)
  })
  session = createSession(
    {
      baseUrl: proxy.url,
      profile: 'standard',
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { plain },
      credentials: { superuser: { token: 'the-token-of-the-superuser' } },
    },
    { requirements, pause: async () => {} },
    { seed: 5, timeout: 1_500 },
  )
  close = async () => {
    await session.close()
    await proxy.close()
    server.close()
  }
})

afterEach(() => close())

const run = (body: CheckBody, id = 'a.must') => runCheck({ id, body }, session, { earlier: new Map() })

it.each<Break>(['unheard', 'unanswered', 'headless', 'cut', 'stalled'])(
  'only a read whose connection is %s is sent again',
  async (kind) => {
    breaks = (method, number) => (method === 'GET' && number === 1 ? kind : undefined)
    let runs = 0
    const { finding } = await run(async ({ api, make, unique }) => {
      runs += 1
      const { id } = await make(plain, { title: unique() })
      expectEqual((await api.view(plain, id)).status, 200, 'the status')
    })
    expect(finding).toMatchObject({ status: 'pass' })
    expect(finding?.retried).toBeUndefined()
    expect([runs, session.connections.counts()]).toEqual([1, { broken: 1, sentAgain: 1, runAgain: 0 }])
  },
)

it('a check whose write broke is run again with fresh data, says so, and leaves nothing', async () => {
  breaks = (method, number) => (method === 'POST' && number === 2 ? 'unanswered' : undefined)
  const { finding } = await run(async ({ make, unique }) => {
    await make(plain, { title: unique() })
    await make(plain, { title: unique() })
  })
  expect(finding).toMatchObject({ status: 'pass' })
  expect(finding?.retried).toMatch(
    /^the check was run again: the connection was reset at request 2 \(POST http:.*\/plain\/records\)$/,
  )
  expect(new Set(titles).size).toBe(4)
  await cleanEnd(session)
  expect([records.size, session.cleanup.leftovers.all]).toEqual([0, []])
})

it('a request that is dropped each time fails, with the number of runs', async () => {
  breaks = (method, number) => (method === 'POST' && number % 2 === 0 ? 'unanswered' : undefined)
  let runs = 0
  const body: CheckBody = async ({ make, unique }) => {
    runs += 1
    await make(plain, { title: unique() })
    await make(plain, { title: unique() })
  }
  const { finding } = await run(body)
  expect(finding).toMatchObject({ status: 'fail', expected: 'a complete HTTP response' })
  expect(finding?.message).toMatch(/^the connection was closed before .*: POST .*, in each of 3 runs$/)
  expect(runs).toBe(3)
  // A later check with the same request does not need to retry it.
  breaks = (method) => (method === 'POST' ? 'unanswered' : undefined)
  expect((await run(body, 'a.other')).finding?.status).toBe('fail')
  expect(runs).toBe(4)
})

it('a read that is dropped each time also fails', async () => {
  breaks = (method) => (method === 'GET' ? 'cut' : undefined)
  const { finding } = await run(async ({ api }) => void (await api.view(plain, 'r0')))
  expect(finding).toMatchObject({ status: 'fail', expected: 'a complete HTTP response' })
})

it('a connection that breaks at another request each time is not the server’s: untestable', async () => {
  let runs = 0
  breaks = (method) => (method === 'POST' && titles.length >= runs ? 'unheard' : undefined)
  const { finding } = await run(async ({ make, unique }) => {
    runs += 1
    titles = []
    for (let count = 0; count < 9; count += 1) await make(plain, { title: unique() })
  })
  expect(finding).toMatchObject({ status: 'untestable' })
  expect(finding?.message).toMatch(
    /^the connection broke in each of 5 runs, at a different request each time/,
  )
  expect(finding?.retried).toMatch(/ and 1 more$/)
  expect(runs).toBe(5)
})

it('a failure unrelated to connections counts immediately', async () => {
  let runs = 0
  const { finding } = await run(async () => {
    runs += 1
    expectThat(false, 'no', 'anything else')
  })
  expect([finding?.status, runs]).toEqual(['fail', 1])
})

it('an intentionally invalid request is sent again; a check that fails because the server accepted both is run again', async () => {
  breaks = (method, number) => (method === 'POST' && number === 1 ? 'unanswered' : undefined)
  let runs = 0
  const { finding } = await run(async ({ api, unique }) => {
    runs += 1
    const path = api.path.records(plain)
    const response = await api.raw({ method: 'POST', path, json: { title: unique() } })
    expectEqual(response.status, 200, 'the status of a create')
  })
  expect([finding?.status, runs]).toEqual(['pass', 2])
  expect(finding?.retried).toMatch(/a request was sent twice because its connection broke$/)
  await cleanEnd(session)
  expect(records.size).toBe(0)
})

it('an example of a property is run again alone', async () => {
  breaks = (method, number) => (method === 'POST' && number === 3 ? 'stalled' : undefined)
  let runs = 0
  const { finding } = await run(async ({ make, property, unique }) => {
    runs += 1
    await property([fc.nat()], async (_) => void (await make(plain, { title: unique() })), { runs: 5 })
  })
  expect([finding?.status, runs, titles.length]).toEqual(['pass', 1, 6])
  expect(finding?.retried).toMatch(/^an example was run again: the connection stalled at request 1 /)
})

it('shared data is created again, and the first attempt is deleted', async () => {
  breaks = (method, number) => (method === 'POST' && number === 2 ? 'unheard' : undefined)
  const body: CheckBody = async ({ make, once, unique, api }) => {
    const id = await once('shared', async () => {
      await make(plain, { title: unique() })
      return (await make(plain, { title: unique() })).id
    })
    expectEqual((await api.view(plain, id)).status, 200, 'the status of a view')
  }
  expect((await run(body)).finding?.status).toBe('pass')
  expect((await run(body, 'a.other')).finding).toMatchObject({ status: 'pass' })
  expect(records.size).toBe(2)
  await cleanEnd(session)
  expect(records.size).toBe(0)
})
