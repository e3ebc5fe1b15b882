import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loadRequirements } from '../../spec/requirements.ts'
import { forumTables } from '../../test/support/forum-tables.ts'
import { call } from '../../test/support/reference-call.ts'
import { createReference } from '../reference.ts'

const reference = createReference({ tables: forumTables, passwordCost: 4 })
const { url } = await reference.listen()
const list = 'GET /collections/posts/records'
beforeEach(() => reference.reset())
afterAll(() => reference.close())

describe('faults on demand', () => {
  test('respond with a status and end by themselves', async () => {
    const fault = reference.fault({ match: 'listRecords', status: 503, times: 2 })
    const statuses = []
    for (let turn = 0; turn < 3; turn++) statuses.push((await call(reference, list)).status)
    expect([statuses, fault.hits]).toEqual([[503, 503, 200], 2])
  })

  test('say Too Many Requests as the interface does, and when to come back', async () => {
    reference.fault({ match: 'POST /collections/*', status: 429 })
    const rejected = await call(reference, 'POST /collections/posts/records', {})
    expect([rejected.status, rejected.body.message, rejected.headers.get('retry-after')]).toEqual([
      429,
      'Too Many Requests.',
      '1',
    ])
    expect((await call(reference, list)).status).toBe(200)
  })

  test('wait, skip, respond with anything, and change headers', async () => {
    reference.fault({ match: { table: 'posts' }, delay: [20, 30], times: 1 })
    const before = performance.now()
    await call(reference, list)
    expect(performance.now() - before).toBeGreaterThan(15)
    reference.fault({
      match: /^GET .*posts/,
      body: { items: 'no' },
      headers: { 'x-odd': '1' },
      after: 1,
      times: 1,
    })
    expect((await call(reference, list)).body.totalItems).toBe(0)
    const odd = await call(reference, list)
    expect([odd.status, odd.body, odd.headers.get('x-odd')]).toEqual([200, { items: 'no' }, '1'])
  })

  test('end a session in the middle of a test', async () => {
    const [member] = await reference.make('members')
    if (member === undefined) throw new Error('No member was made.')
    const actor = await reference.as(member)
    const refresh = () => actor.fetch('/api/v1/collections/members/auth-refresh', { method: 'POST' })
    const fault = reference.fault({ expired: true })
    expect((await refresh()).status).toBe(401)
    fault.clear()
    expect((await refresh()).status).toBe(200)
  })

  test.each([
    ['inside the process', reference.fetch],
    ['over a socket', fetch],
  ])('drop connections %s', async (_, sendRequest) => {
    const json = { 'content-type': 'application/json' }
    const body =
      '{"email":"a@example.com","password":"password1","passwordConfirm":"password1","role":"reader"}'
    const create = () =>
      sendRequest(`${url}/api/v1/collections/members/records`, { method: 'POST', headers: json, body })
    reference.fault({ drop: true, times: 1 })
    await expect(create()).rejects.toThrow('fetch failed')
    expect(reference.records.count('members')).toBe(0)
    reference.fault({ drop: 'response', times: 1 })
    await expect(create()).rejects.toThrow('fetch failed')
    expect(reference.records.count('members')).toBe(1)
    reference.fault({ drop: { afterBytes: 10 }, times: 1 })
    const broken = await create()
    expect(broken.status).toBe(400)
    await expect(broken.text()).rejects.toThrow()
    expect((await create()).status).toBe(400)
  })

  test('send the beginning of a response before they break it off, on a machine that stalls', async () => {
    const stall = setInterval(() => {
      for (const end = performance.now() + 25; performance.now() < end; );
    }, 1)
    try {
      for (let index = 0; index < 20; index++) {
        reference.fault({ drop: { afterBytes: 10 }, times: 1 })
        const broken = await fetch(`${url}/api/v1/collections/members/records`)
        expect(broken.status).toBe(200)
        await expect(broken.text()).rejects.toThrow()
      }
    } finally {
      clearInterval(stall)
    }
  })

  test('that make no sense are rejected', () => {
    expect(() => reference.fault({})).toThrow('does nothing')
    expect(() => reference.fault({ status: 99 })).toThrow('status 99')
    expect(() => reference.fault({ match: 'posts please', status: 500 })).toThrow('names no request')
    const near = 'there is no table "post". Did you mean "posts"?'
    for (const match of ['GET /collections/post/*', '/files/post/x/y', { table: 'post' }])
      expect(() => reference.fault({ match, status: 500 })).toThrow(near)
    for (const match of [
      '/collections/*/records',
      '/collections/conf_posts_00001/records',
      { table: 'nowhere' },
    ])
      expect(() => reference.fault({ match, status: 500 })).not.toThrow()
  })
})

describe('the request log', () => {
  test('knows requests and responses, and asserts on them', async () => {
    await call(reference, 'POST /collections/members/auth-with-password', {
      identity: 'a',
      password: 'secret99',
    })
    await call(reference, `${list}?filter=title%3D%22x%22&page=1`)
    const last = reference.requests.last('listRecords')
    expect(last).toMatchObject({
      method: 'GET',
      table: 'posts',
      status: 200,
      query: { filter: 'title="x"', page: '1' },
    })
    expect(last?.responseBody).toMatchObject({ items: [] })
    expect(reference.requests.last('authWithPassword')?.requestBody).toEqual({
      identity: 'a',
      password: 'secret99',
    })
    expect(
      reference.requests.assert({ operation: 'authWithPassword', status: 400 }, { times: 1 }),
    ).toHaveLength(1)
    reference.requests.assertNone('deleteRecord')
    expect(() => reference.requests.assert('createRecord')).toThrow(
      /at least one.*found 0.*auth-with-password 400/s,
    )
    expect(() => reference.requests.assertNone('listRecords')).toThrow('Expected no request')
    const coming = reference.requests.waitFor('viewRecord', { timeout: 10_000 })
    await call(reference, 'GET /collections/posts/records/x')
    expect((await coming).status).toBe(404)
    await expect(reference.requests.waitFor('batch', { timeout: 10 })).rejects.toThrow('within 10 ms')
  })

  test('distinguishes a request that waits for its response from one that was dropped', async () => {
    reference.fault({ match: 'listRecords', delay: 200, drop: true, times: 1 })
    const waiting = call(reference, list).catch(() => {})
    expect(reference.requests.explain()).toContain(
      'GET /collections/posts/records no response yet (delay 200)',
    )
    await waiting
    expect(reference.requests.explain()).toContain('records dropped (delay 200, drop request)')
  })

  test('says that there was no request', () => {
    expect(() => reference.requests.assert('listRecords', { times: 1 })).toThrow(
      'Expected 1 request for listRecords, found 0. No request was received.',
    )
  })

  test('becomes an archive without secrets', async () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.e30.x'
    await call(
      reference,
      'POST /collections/members/auth-with-password',
      { identity: 'a', password: 'secret99' },
      { token },
    )
    reference.fault({ drop: true, times: 1 })
    await call(reference, list).catch(() => {})
    const { log } = await reference.requests.har()
    expect([log.version, log.entries.length]).toEqual(['1.2', 2])
    expect(log.entries[0]).toMatchObject({
      request: { method: 'POST', bodySize: 38 },
      response: { status: 400, content: { mimeType: 'application/json' } },
    })
    expect(log.entries[1]).toMatchObject({ response: { status: 0, comment: 'drop request' } })
    expect(JSON.stringify(log)).not.toMatch(/secret99|eyJhbGci/)
  })

  test('keeps the newest only', async () => {
    const small = createReference({ tables: forumTables, keepRequests: 10 })
    for (let turn = 0; turn < 95; turn++) await call(small, list)
    expect(small.requests.length).toBeLessThanOrEqual(20)
    expect(small.requests.last()?.number).toBe(95)
  })
})

test('the footprint names the requirements that requests depend on', async () => {
  const before = await reference.footprint()
  expect(before).toMatchObject({ operations: {}, requirements: [], total: loadRequirements().size })
  await call(reference, list)
  const plain = await reference.footprint()
  await call(reference, `${list}?filter=title%3D%22x%22`)
  const filtered = await reference.footprint()
  await call(reference, 'POST /batch', {
    requests: [{ method: 'DELETE', url: '/api/v1/collections/posts/records/x' }],
  })
  await call(reference, 'GET /settings')
  const all = await reference.footprint()
  expect(all).toMatchObject({
    operations: { listRecords: 2, batch: 1, deleteRecord: 1 },
    parameters: { filter: 1 },
    unknown: ['GET /settings'],
  })
  expect(plain.requirements).toContain('list.total-pages')
  expect(plain.requirements.filter((id) => id.startsWith('filter.'))).toEqual([])
  expect(filtered.requirements).toContain('list.filter-narrows')
  expect(all.requirements).toContain('batch.all-or-nothing')
  expect([plain, filtered, all].map(({ requirements }) => requirements.length)).toEqual(
    [plain, filtered, all].map(({ requirements }) => requirements.length).sort((a, b) => a - b),
  )
  for (const id of all.requirements) expect(loadRequirements().has(id)).toBe(true)
})

test('the footprint names requirements about field types, modifiers and keys where requests show them', async () => {
  const own = createReference({
    tables: [
      {
        name: 'things',
        createRule: '',
        updateRule: '',
        fields: [
          { name: 'size', type: 'number' },
          { name: 'tags', type: 'select', values: ['a', 'b'], maxSelect: 2 },
          { name: 'paper', type: 'file' },
        ],
      },
    ],
    apiKeys: [{ tables: ['things'], actions: ['list'] }],
  })
  const ids = async () => (await own.footprint()).requirements
  const topics = async () => [...new Set((await ids()).map((id) => id.split('.')[0]))]
  const url = '/api/v1/collections/things/records'
  const { body } = await call(own, 'POST /collections/things/records', { size: 1 })
  expect(await ids()).toEqual(expect.arrayContaining(['number.casts', 'field.required-absent']))
  for (const topic of ['select', 'file', 'geo', 'account', 'modifier', 'api-key', 'mfa', 'error'])
    expect(await topics()).not.toContain(topic)
  await call(own, `PATCH /collections/things/records/${body.id}`, { 'tags+': 'a' })
  expect(await ids()).toContain('modifier.append')
  expect(await topics()).not.toContain('file')
  const form = new FormData()
  form.append('paper', new File(['x'], 'a.txt'))
  await own.fetch(url, { method: 'POST', body: form })
  expect(await ids()).toContain('file.stored-name')
  await call(own, 'GET /collections/things/records', undefined, { token: own.apiKeys.initial[0]?.key })
  expect(await ids()).toContain('api-key.accepted')
})

test('the footprint looks into batches of the official client, which are forms', async () => {
  const form = new FormData()
  const requests = [{ method: 'POST', url: '/api/v1/collections/posts/records', body: { score: 3 } }]
  form.append('@jsonPayload', JSON.stringify({ requests }))
  await reference.fetch('/api/v1/batch', { method: 'POST', body: form })
  const { operations, requirements } = await reference.footprint()
  expect(operations).toMatchObject({ batch: 1, createRecord: 1 })
  expect(requirements).toContain('number.casts')
})
