/** What a run created on a server that reports it in another form, or not at all. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { recordOfCreate } from '../cleanup/record-of-create.ts'
import { scopeOf, uniqueNames } from '../ownership/scopes.ts'
import { createSession } from '../session/create-session.ts'
import type { Body } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'
import type { Target } from '../vocabulary/target.ts'

type Stored = Body & { id: string }

const plain = { role: 'plain', name: 'plain' }
const records = new Map<string, Stored>()
const unique = uniqueNames('run', 'a.check')
let server: TestServer
let session: Session
/** What is answered, given what was created. */
let tell: (made: Stored[]) => unknown
/** Whether Location names what was created. */
let located: boolean
let searches: string[]
/** Whether deletes are answered as if there was nothing, and records can be viewed. */
let guarded: boolean
/** Whether the server ignores an id that a create sends. */
let ignoresIds: boolean
/** Whether only the record itself may see its `email`, and delete it. */
let hides: boolean
let created = 0

beforeEach(async () => {
  records.clear()
  searches = []
  located = false
  guarded = false
  ignoresIds = false
  hides = false
  server = await startTestServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const send = (status: number, body?: unknown) => {
      const location = `/api/v1/collections/plain/records/r${created - 1}`
      response.writeHead(status, { 'content-type': 'application/json', ...(located ? { location } : {}) })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const id = pathname.split('/').at(-1) ?? ''
    const me = request.headers.authorization
    const shown = (record: Stored | undefined) =>
      hides && record !== undefined && me !== `token-of-${record.id}` ? { id: record.id } : record
    if (pathname.endsWith('/auth-with-password')) {
      const { identity } = JSON.parse(text) as { identity: string }
      const record = [...records.values()].find(({ email }) => email === identity)
      if (record === undefined) return send(400, {})
      return send(200, { token: `token-of-${record.id}`, record })
    }
    if (request.method === 'DELETE' && hides && me !== `token-of-${id}`) return send(404, {})
    if (request.method === 'DELETE') return send(!guarded && records.delete(id) ? 204 : 404)
    if (request.method === 'GET' && !pathname.endsWith('/records'))
      return records.has(id) ? send(200, shown(records.get(id))) : send(404, { status: 404 })
    if (request.method === 'POST') {
      const sent = JSON.parse(text) as Body & { requests?: { method: string; url: string; body?: Body }[] }
      const entries = sent.requests ?? [{ method: 'POST', url: '', body: sent }]
      const made: Stored[] = []
      for (const { method, url, body } of entries)
        if (method === 'DELETE') records.delete(url.split('/').at(-1) ?? '')
        else if (ignoresIds) made.push({ ...body, id: `r${created++}` })
        else made.push({ id: `r${created++}`, ...body })
      for (const record of made) records.set(record.id, record)
      return send(200, tell(made))
    }
    const filter = searchParams.get('filter') ?? ''
    if (filter !== '') searches.push(filter)
    const items = [...records.values()].filter(
      ({ title }) => filter === '' || filter === `title = "${title}"`,
    )
    send(200, { page: 1, perPage: 200, totalItems: items.length, totalPages: 1, items: items.map(shown) })
  })
  session = sessionOf({ superuser: { token: 't' } })
})

function sessionOf(credentials: Target['credentials']): Session {
  const its = createSession(
    {
      baseUrl: server.url,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables: { plain },
      credentials,
    },
    { requirements: new Map() },
    { seed: 1 },
  )
  its.scopes.add(scopeOf('run', 'a.check'))
  return its
}

afterEach(async () => {
  await session.close()
  server.close()
})

const create = (body: Body) => session.api('guest').create(plain, body)
const batch = (...bodies: Body[]) =>
  session
    .api('guest')
    .batch(bodies.map((body) => ({ method: 'POST', url: '/api/v1/collections/plain/records', body })))

/** What is left on the server at the end of the run, and what was reported. */
async function left() {
  await cleanEnd(session)
  const { leftovers, pendingCreates } = session.cleanup
  return {
    records: [...records.values()].map(({ title }) => title),
    reported: leftovers.all.map(({ table, id }) => `${table} ${id}`),
    pending: pendingCreates.length,
  }
}

const nothing = { records: [], reported: [], pending: 0 }

describe('a create that is answered without an id', () => {
  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['null', null],
    ['a text', 'done'],
    ['a number as id', { id: 7 }],
  ])('is searched for at the end: %s', async (_, response) => {
    tell = () => response
    await create({ title: unique('a') })
    await create({ title: unique('b') })
    expect(session.cleanup.pendingCreates).toHaveLength(2)
    expect(await left()).toEqual(nothing)
    expect(searches).toHaveLength(2)
  })

  it.each<[string, (made: Stored[]) => unknown]>([
    ['within', ([record]) => ({ ok: true, record })],
    ['in Location', () => ({})],
  ])('is known where the answer names it otherwise: %s', async (where, response) => {
    tell = response
    located = where === 'in Location'
    await create({ title: unique('a') })
    expect(await left()).toEqual(nothing)
    expect(searches).toEqual([])
  })

  it('is reported if nothing would find it', async () => {
    tell = () => ({})
    await create({ title: 'everyday' })
    expect(await left()).toEqual({ records: ['everyday'], reported: ['plain unknown'], pending: 0 })
  })

  it('is known where the request gave the id', async () => {
    tell = () => ({})
    await create({ id: 'mine-and-only-mine', title: 'everyday' })
    expect(await left()).toEqual(nothing)
    expect(searches).toEqual([])
  })
})

describe('a create that sends an id which the server ignores', () => {
  beforeEach(async () => {
    ignoresIds = true
    tell = () => ({ accepted: true })
    await session.close()
    session = sessionOf({})
  })

  it('is found by its text, and nothing is said of the id', async () => {
    await create({ id: 'mine-and-only-mine', title: unique('a') })
    await session.cleanup.cleanTo(0)
    expect(session.cleanup.leftovers.all).toEqual([])
    expect(await left()).toEqual(nothing)
  })

  it('is searched for at the end, in a batch too', async () => {
    await batch({ id: 'mine-and-only-mine', title: unique('a') }, { title: unique('b') })
    expect(await left()).toEqual(nothing)
  })
})

describe('a sign-up whose response contains no id', () => {
  const signUp = (email: string) =>
    session.api('guest').create(plain, { email, password: 'Vivid-Otter-No.1' })

  beforeEach(async () => {
    hides = true
    tell = () => ({ accepted: true })
    await session.close()
    session = sessionOf({})
  })

  it('is the account that a sign-in shows', async () => {
    const email = `${unique('a')}@example.com`
    const response = await signUp(email)
    const record = await recordOfCreate(session, session.api('guest'), plain, response)
    expect(record).toMatchObject({ id: [...records.keys()][0], email })
    await session.cleanup.cleanTo(0)
    expect(records.size).toBe(0)
    expect(await left()).toEqual(nothing)
  })

  it('is not the account of an earlier one with the same address', async () => {
    const email = `${unique('a')}@example.com`
    const guest = session.api('guest')
    await recordOfCreate(session, guest, plain, await signUp(email))
    expect(await recordOfCreate(session, guest, plain, await signUp(email))).toBeUndefined()
  })
})

describe('a delete that returns 404', () => {
  const made = ([record]: Stored[]) => record

  it('is not a delete where a guest still sees the record', async () => {
    tell = made
    await session.close()
    session = sessionOf({})
    await create({ title: unique('a') })
    guarded = true
    await session.cleanup.cleanTo(0)
    expect(session.cleanup.leftovers.all).toEqual([
      {
        table: 'plain',
        id: [...records.keys()][0],
        reason: 'the delete returned 404: it still exists',
      },
    ])
  })

  it('counts as one if no one sees it any more', async () => {
    tell = made
    await session.close()
    session = sessionOf({})
    await create({ title: unique('a') })
    await session.api('guest').view(plain, [...records.keys()][0] ?? '')
    records.clear()
    expect(await left()).toEqual(nothing)
  })
})

describe('a batch', () => {
  it.each<[string, (made: Stored[]) => unknown]>([
    ['an object', () => ({ done: true })],
    ['an empty list', () => []],
    ['entries without ids', (made) => made.map(() => ({ status: 200, body: {} }))],
    ['nulls', (made) => made.map(() => null)],
    ['the first alone', (made) => [{ status: 200, body: made[0] }]],
  ])('leaves nothing behind, whatever its response: %s', async (_, response) => {
    tell = response
    await batch(
      { title: unique('a') },
      { title: unique('b') },
      { id: 'mine-and-only-mine', title: 'everyday' },
    )
    expect(records.size).toBe(3)
    expect(await left()).toEqual(nothing)
  })

  it('is searched for only where its response contains no id', async () => {
    tell = (made) => made.map(({ id }, at) => ({ status: 200, body: at === 0 ? {} : { id } }))
    const first = unique('a')
    await batch({ title: first }, { title: unique('b') })
    expect(await left()).toEqual(nothing)
    expect(searches).toEqual([`title = "${first}"`])
  })

  it('is reported, record by record, if nothing would find them', async () => {
    tell = () => ({ done: true })
    await batch({ title: 'everyday' }, { title: unique('b') }, { title: 'everyday' })
    expect(await left()).toEqual({
      records: ['everyday', 'everyday'],
      reported: ['plain unknown', 'plain unknown'],
      pending: 0,
    })
  })

  it('is not reported if it was empty', async () => {
    tell = () => ({})
    await batch()
    expect(await left()).toEqual(nothing)
  })
})
