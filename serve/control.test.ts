/** The control endpoints, over a socket, inside this process. */

import { afterEach, describe, expect, it } from 'vitest'
import { createControl } from './control.ts'
import { readShape } from './read-shape.ts'
import { type Serving, startServing } from './serving.ts'

const superuser = {
  id: 'superuser000001',
  email: 'superuser@example.com',
  password: 'superuser-secret',
  tokenKey: 'k'.repeat(50),
}
const data = () =>
  readShape({
    users: [{ id: 'ann', email: 'ann@example.com', password: 'secret1234' }],
    posts: [{ id: 'p1', title: 'one' }],
  })

let serving: Serving | undefined
afterEach(() => serving?.close())

interface Reported {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of many forms, looked into by expectations only
  body: any
}

async function start() {
  const started = await startServing({ data: data(), seed: 7, superuser, beside: [createControl] })
  serving = started
  const send = async (path: string, init: RequestInit = {}): Promise<Reported> => {
    const response = await fetch(started.url + path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const json = { 'content-type': 'application/json' }
  return {
    started,
    send,
    get: (path: string) => send(`/_conformance/${path}`),
    post: (path: string, body: unknown = {}, headers = {}) =>
      send(`/_conformance/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, ...headers },
      }),
    api: (path: string, body?: unknown, authorization = '') =>
      send(`/api/v1/collections/${path}`, {
        headers: { ...json, authorization },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      }),
  }
}

describe('what is too large', () => {
  it('is not read to its end, also in chunks', async () => {
    const { started } = await start()
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1024 * 1024
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20))
        if (sent >= 300 * 1024 * 1024) controller.close()
      },
    })
    const request = new Request(`${started.url}/_conformance/token`, {
      method: 'POST',
      headers: { host: new URL(started.url).host },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    const response = await createControl(started)(request, '127.0.0.1')
    expect(response?.status).toBe(413)
    expect(await response?.json()).toMatchObject({ message: expect.stringContaining('16 MiB') })
    expect(sent).toBeLessThan(20 * 1024 * 1024)
  })

  it('is not echoed, nor compared with what there is', async () => {
    const { get } = await start()
    const { status, body } = await get('state'.repeat(100_000))
    expect(status).toBe(404)
    expect(body.message.length).toBeLessThan(500)
  })
})

describe('state', () => {
  it('resets, takes snapshots and goes back to them', async () => {
    const { api, post } = await start()
    const count = async () => (await api('posts/records')).body.totalItems
    await api('posts/records', { title: 'two' })
    const { body } = await post('snapshot')
    await api('posts/records', { title: 'three' })
    expect(await count()).toBe(3)
    expect((await post('restore', body)).body).toEqual(body)
    expect(await count()).toBe(2)
    expect((await post('reset')).status).toBe(204)
    expect(await count()).toBe(1)
    expect((await post('restore')).status).toBe(200)
    expect(await count()).toBe(2)
    expect((await post('restore', { id: '99' })).status).toBe(404)
  })

  it('keeps the 100 snapshots that were used last', async () => {
    const { api, post } = await start()
    await api('posts/records', { title: 'two' })
    const first = (await post('snapshot')).body
    await post('snapshot')
    for (let turn = 0; turn < 98; turn++) await post('snapshot')
    expect((await post('restore', first)).status).toBe(200)
    const last = (await post('snapshot')).body
    expect((await post('restore', { id: '2' })).body.message).toMatch(/was dropped: only the 100/)
    expect((await post('restore', first)).status).toBe(200)
    expect((await post('restore')).body).toEqual(last)
    expect((await post('restore', { id: '102' })).body.message).toMatch(/no such snapshot/)
  })

  it('rejects a snapshot of what was loaded before', async () => {
    const { post, started } = await start()
    await post('snapshot')
    await started.reload(data())
    expect((await post('restore')).status).toBe(409)
  })

  it('resets the clock, too', async () => {
    const { get, post } = await start()
    await post('clock', { freeze: '2030-01-31T12:00:00Z' })
    await post('reset')
    const { now, frozen, ahead } = (await get('clock')).body
    expect([frozen, Math.abs(ahead) < 1000, now < '2030']).toEqual([false, true, true])
  })

  it('lists the records of a table without their secrets', async () => {
    const { get } = await start()
    expect((await get('records/posts')).body.records).toMatchObject([{ id: 'p1', title: 'one' }])
    const { body } = await get('records/users')
    expect(body.records).toMatchObject([{ id: 'ann', email: 'ann@example.com' }])
    expect(JSON.stringify(body)).not.toMatch(/tokenKey|scrypt|passwordHash|"password"/)
    expect((await get('records/post')).body.message).toBe(
      'There is no table "post". Did you mean "posts"? There are: users, posts.',
    )
  })

  it('adds records of several tables, all or none', async () => {
    const { api, get, post } = await start()
    const added = await post('records', {
      posts: [{ title: 'two' }],
      users: [{ email: 'bob@example.com', password: 'secret1234' }],
    })
    expect(added.body.records.posts).toMatchObject([{ id: expect.any(String), title: 'two' }])
    expect(JSON.stringify(added.body)).not.toMatch(/secret1234|scrypt/)
    const signedIn = { identity: 'bob@example.com', password: 'secret1234' }
    expect((await api('users/auth-with-password', signedIn)).status).toBe(200)
    expect((await post('records/posts', { title: 'three' })).body.records).toMatchObject([{ title: 'three' }])
    const titles = async () =>
      (await get('records/posts')).body.records.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['one', 'two', 'three'])
    expect(await post('records', { posts: [{ title: 'four' }, { titel: 'five' }] })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/Record posts\[1\].*Did you mean "title"/) },
    })
    expect(await post('records', { post: [] })).toMatchObject({ status: 404 })
    expect((await post('records', { posts: {} })).body.message).toMatch(
      /"posts" must hold records as objects/,
    )
    expect((await post('records/posts', [1])).status).toBe(400)
    expect(await titles()).toEqual(['one', 'two', 'three'])
    await post('reset')
    expect(await titles()).toEqual(['one'])
  })

  it('adds tables, and validates their responses', async () => {
    const { api, get, post } = await start()
    const tags = { name: 'tags', listRule: '', createRule: '', fields: [{ name: 'label', type: 'text' }] }
    expect((await post('tables', [tags])).body).toEqual({ tables: ['tags'], notices: [] })
    expect((await api('tags/records', { label: 'x' })).status).toBe(200)
    expect((await get('requests')).body.requests[0].findings).toEqual([])
    const wrong = await post('tables', [{ name: 'more', listRule: 'nope = 1', fields: [] }])
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining('"nope"') } })
    expect((await post('tables', { tables: [tags] })).body.message).toMatch(/an array/)
    await post('reset')
    expect((await api('tags/records')).status).toBe(404)
  })

  it('takes a whole state back that it gave, and any form of a data file', async () => {
    const { api, get, post, send } = await start()
    await api('posts/records', { title: 'two' })
    const { token } = (await post('token', { table: 'users', id: 'ann' })).body
    const { body: state } = await get('state')
    expect(state).toMatchObject({ version: 1, tables: expect.any(Array) })
    expect(readShape(state).state).toEqual(state)
    const notes = { notes: [{ text: 'a' }], records: [{ text: 'b' }] }
    expect((await post('state', notes)).body).toEqual({
      tables: ['notes', 'records'],
      records: { notes: 1, records: 1 },
      notices: [],
    })
    expect((await api('posts/records')).status).toBe(404)
    for (const nothing of [{}, []])
      expect((await post('state', nothing)).body).toEqual({
        tables: [],
        records: {},
        notices: [expect.stringMatching(/^The data has no tables: this server has none any more/)],
      })
    expect((await post('state', state)).body.records).toEqual({ users: 1, posts: 2 })
    await api('posts/records', { title: 'three' })
    await post('reset')
    expect((await api('posts/records')).body.totalItems).toBe(2)
    expect((await api('users/auth-refresh', {}, token)).status).toBe(200)
    expect(await post('state', { tabels: {}, records: {} })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Did you mean "tables"') },
    })
    const empty = await send('/_conformance/state', { method: 'POST' })
    expect(empty.body.message).toBe('The body is empty: send JSON.')
    expect((await api('posts/records')).body.totalItems).toBe(2)
    expect((await post('reload')).status).toBe(409)
  })

  it('lists requests with what they break, without their secrets', async () => {
    const { api, post, get } = await start()
    await api('posts/records')
    await post('reset')
    const { body: signedIn } = await api('users/auth-with-password', {
      identity: 'ann@example.com',
      password: 'secret1234',
    })
    await api('users/records', undefined, signedIn.token)
    await post('fault', { match: 'viewRecord', body: { id: 1 }, times: 1 })
    await api('posts/records/p1')
    const { body } = await get('requests')
    const { requests } = body
    expect(body.notRecorded).toBe(0)
    expect(requests.map(({ operation, caller, status }: never) => [operation, caller, status])).toEqual([
      ['authWithPassword', 'anonymous', 200],
      ['listRecords', 'users/ann', 200],
      ['viewRecord', 'anonymous', 200],
    ])
    expect(requests[1].findings).toEqual([])
    expect(requests[2].findings.map(({ requirement }: { requirement: string }) => requirement)).toContain(
      'record.id',
    )
    expect(requests[2].fault).toBe('status 200')
    expect(JSON.stringify(requests)).not.toContain('secret1234')
    expect(JSON.stringify(requests)).not.toContain(signedIn.token)
  })

  it('shows no user as the caller whose token does not count', async () => {
    const { api, post, get } = await start()
    const { body: token } = await post('token', { table: 'users', id: 'ann', duration: -60 })
    await api('users/auth-refresh', {}, token.token)
    await post('fault', { expired: true, times: 1 })
    const { body: valid } = await post('token', { table: 'users', id: 'ann' })
    await api('posts/records', undefined, valid.token)
    const { requests } = (await get('requests')).body
    expect(requests[0]).toMatchObject({
      caller: expect.stringMatching(
        /^anonymous \(the token expired at .*Z, and the clock of the server says .*Z\)$/,
      ),
      reason: [expect.stringContaining('The caller is a guest, since the token expired at')],
      status: 401,
    })
    expect(requests[1]).toMatchObject({ caller: 'anonymous', fault: 'token expired' })
  })

  it('has the newest of a burst that arrives while no one looks, numbered by all of it', async () => {
    const { post, get, started } = await start()
    const burst = async () => {
      const list = () => started.reference.fetch('/api/v1/collections/posts/records')
      await Promise.all(Array.from({ length: 1_300 }, list))
      await started.reference.fetch('/api/v1/collections/posts/records/p1')
      return (await get('requests')).body
    }
    const { requests, notRecorded } = await burst()
    expect(requests).toHaveLength(500)
    expect(requests.at(-1)).toMatchObject({ operation: 'viewRecord', findings: [] })
    // None came too fast: they are recorded when they are read, and older ones would not be listed.
    expect([notRecorded, requests.at(-1).id]).toEqual([0, 1_301])
    await post('reset')
    expect((await get('requests')).body).toEqual({ requests: [], notRecorded: 0 })
  })
})

describe('time', () => {
  it('moves, stops and goes on', async () => {
    const { post, get } = await start()
    expect((await post('clock', { freeze: '2030-01-31T12:00:00Z' })).body).toMatchObject({
      now: '2030-01-31T12:00:00.000Z',
      frozen: true,
    })
    expect((await post('clock', { advance: '15m' })).body.now).toBe('2030-01-31T12:15:00.000Z')
    expect((await post('clock', { advance: 1500 })).body.now).toBe('2030-01-31T12:15:01.500Z')
    expect((await post('clock', { unfreeze: true })).body.frozen).toBe(false)
    expect((await get('clock')).body.now).toMatch(/^2030-01-31T12:15:0/)
  })

  it.each([[{ advance: 'soon' }], [{ set: 'never' }], [{ set: 1e300 }], [{ freeze: {} }], [{ avdance: 1 }]])(
    'rejects %j',
    async (body) => {
      const { post } = await start()
      expect(await post('clock', body)).toMatchObject({ status: 400, body: { message: expect.any(String) } })
    },
  )
})

describe('tokens and keys', () => {
  it.each<[string, object, string, (token: string) => object]>([
    ['verification', {}, 'users/confirm-verification', (token) => ({ token })],
    [
      'passwordReset',
      {},
      'users/confirm-password-reset',
      (token) => ({ token, password: 'other-secret', passwordConfirm: 'other-secret' }),
    ],
    [
      'emailChange',
      { newEmail: 'new@example.com' },
      'users/confirm-email-change',
      (token) => ({ token, password: 'secret1234' }),
    ],
  ])('mints %s tokens that confirm', async (kind, more, path, body) => {
    const { api, post } = await start()
    const { token } = (await post('token', { table: 'users', id: 'ann', kind, ...more })).body
    expect((await api(path, body(token))).status).toBe(204)
  })

  it('mints sessions: such as can be refreshed, such as cannot, and expired ones', async () => {
    const { api, post } = await start()
    const refresh = async (body: object) =>
      (
        await api(
          'users/auth-refresh',
          {},
          (
            await post('token', { table: 'users', id: 'ann', ...body })
          ).body.token,
        )
      ).body.token
    const isStatic = await refresh({ kind: 'static' })
    expect(await refresh({})).not.toBe(isStatic)
    expect(await refresh({ duration: -10 })).toBeUndefined()
    expect(
      (await post('token', { table: 'users', email: 'ann@example.com', kind: 'file' })).body,
    ).toMatchObject({ id: 'ann' })
    expect((await post('token', { table: 'users', email: 'Ann@Example.com' })).body).toMatchObject({
      id: 'ann',
    })
  })

  it.each<[object, number, RegExp]>([
    [{ table: 'users', id: 'bob' }, 404, /no such record/],
    [{ table: 'user', id: 'ann' }, 400, /Did you mean "users"/],
    [{ table: 'posts', id: 'p1' }, 400, /is not an auth table/],
    [{ table: 'users' }, 400, /"id" or "email" is required/],
    [{ id: 'ann' }, 400, /"table" is required and must be a string/],
    [{ table: 'users', id: 'ann', kindd: 'file' }, 400, /Unknown key "kindd"\. Did you mean "kind"/],
    [{ table: 'users', id: 'ann', kind: 'verify' }, 400, /one of auth, static.*, not "verify"/],
    [{ table: 'users', id: 'ann', kind: 'emailChange' }, 400, /newEmail/],
    [{ table: 'users', id: 'ann', duration: 'long' }, 400, /"duration" must be an integer, not "long"/],
  ])('rejects %j', async (body, status, message) => {
    const { post } = await start()
    expect(await post('token', body)).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    })
  })

  it('makes and revokes keys', async () => {
    const { api, post } = await start()
    const { key, id } = (await post('api-keys', { name: 'k', tables: ['posts'], actions: ['list'] })).body
    expect((await api('users/records', undefined, key)).status).toBe(403)
    expect((await post('api-keys', { revoke: id })).status).toBe(204)
    expect((await api('users/records', undefined, key)).status).toBe(200)
    expect((await post('api-keys', { revoke: id })).status).toBe(404)
    expect((await post('api-keys', { tables: ['posts'], actions: ['fly'] })).body.message).toMatch(/fly/)
  })
})

it('waits for emails, filters them, and plans faults', async () => {
  const { api, post, get } = await start()
  const waiting = get('mail?to=ann@example.com&kind=password-reset&wait=5000')
  await api('users/request-password-reset', { email: 'ann@example.com' })
  expect((await waiting).body.mails).toMatchObject([{ to: 'ann@example.com', token: expect.any(String) }])
  expect((await get('mail?kind=otp')).body.mails).toEqual([])
  expect((await get('mail?kind=otp&wait=50')).status).toBe(408)
  await post('fault', { match: 'POST /collections/posts/*', status: 429, times: 1 })
  expect((await api('posts/records', { title: 'x' })).status).toBe(429)
  expect((await api('posts/records', { title: 'x' })).status).toBe(200)
  await post('fault', { status: 503 })
  expect((await api('posts/records')).status).toBe(503)
  await post('fault', { clear: true })
  expect((await api('posts/records')).status).toBe(200)
  await post('fault', { drop: true, times: 1 })
  await expect(api('posts/records')).rejects.toThrow()
  expect(await post('fault', { stauts: 1 })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/"status"/) },
  })
  expect((await post('fault', {})).status).toBe(400)
})

it('lets pages of this machine in, strangers out, and says what there is', async () => {
  const { post, get, send } = await start()
  expect((await post('reset', {}, { origin: 'https://evil.example' })).status).toBe(403)
  const page = { origin: 'http://localhost:5173' }
  expect((await post('reset', {}, page)).status).toBe(204)
  const preflight = await fetch(`${serving?.url}/_conformance/clock`, {
    method: 'OPTIONS',
    headers: { ...page, 'access-control-request-headers': 'content-type' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
  const { operations } = (await get('')).body
  expect(operations).toContainEqual({
    method: 'POST',
    path: 'restore',
    body: { id: { says: expect.any(String) } },
    returns: '`{ id }`',
  })
  expect((await send('/_conformance')).body.operations).toEqual(operations)
  expect((await get('mail?kidn=otp')).body.message).toBe(
    'Unknown parameter "kidn". Did you mean "kind"? Use to, kind, wait.',
  )
  expect((await get('mail?kind=otpx')).body.message).toBe(
    '"kind" must be one of verification, password-reset, email-change, otp, login-alert, not "otpx". Did you mean "otp"?',
  )
  for (const wait of ['soon', '-1', '1.5', '60001'])
    expect((await get(`mail?wait=${wait}`)).body.message).toBe(
      `"wait" must be a whole number from 0 to 60000, not "${wait}".`,
    )
  expect((await get('mail?to=&kind=&wait=')).status).toBe(200)
  expect((await get('mail?wait=&wait=9')).body.message).toMatch(/"wait" is given twice/)
  expect((await get('mial')).body.message).toMatch(/Did you mean "GET mail"/)
  expect((await send('/_conformance/clock', { method: 'POST', body: '[' })).body.message).toMatch(/not JSON/)
  expect((await send('/_conformance/clock', { method: 'POST', body: '[]' })).body.message).toMatch(
    /JSON object/,
  )
})

describe('values that would be wrong later', () => {
  it('an impossible time changes nothing', async () => {
    const { get, post } = await start()
    await post('clock', { freeze: '2030-01-31T12:00:00Z' })
    const before = (await get('clock')).body.now
    for (const body of [
      { advance: 1e18 },
      { advance: '99999999999999999d' },
      { set: 1e15 },
      { set: '2031-01-01', freeze: 'garbage' },
      { advance: 1000, unfreeze: false },
      { freeze: false },
    ])
      expect(await post('clock', body)).toMatchObject({ status: 400, body: { message: expect.any(String) } })
    expect((await get('clock')).body.now).toBe(before)
  })

  it.each(['reset', 'snapshot'])('%s takes no keys', async (path) => {
    const { post } = await start()
    expect(await post(path, { x: 1 })).toMatchObject({
      status: 400,
      body: { message: 'Unknown key "x": this request has no keys. Send no body.' },
    })
  })

  it.each<[string, object, RegExp]>([
    ['token', { table: 'users', id: 'ann', email: 'ann@example.com' }, /"id" and "email" both name/],
    [
      'token',
      { table: 'users', id: 'ann', newEmail: 'x@example.com' },
      /"newEmail" is for the kind emailChange/,
    ],
    ['api-keys', { tables: ['postz'], actions: ['list'] }, /no table "postz"\. Did you mean "posts"/],
    ['fault', { match: 'GET /api/v1/collections/posts/records', status: 500 }, /Write "\/collections/],
    ['fault', { match: '/collection/posts/records', status: 500 }, /Did you mean "\/collections\/posts/],
    ['fault', { match: 'FETCH /collections/*', status: 500 }, /unknown method\. Did you mean "PATCH"/],
    ['fault', { delay: '100' }, /"delay" of a fault/],
    [
      'tables',
      [{ name: 'v', type: 'view', viewQuery: 'SELECT id FROM posts' }],
      /View tables cannot be served.*"v"/,
    ],
    ['make/posts', { count: 1, valeus: {} }, /Did you mean "values"/],
    ['make/posts', { count: 1_000_000_000 }, /"count" must be an integer from 1 to 1000, not 1000000000/],
    ['make/posts', { count: -1 }, /from 1 to 1000/],
    ['fault', { clear: true, status: 500 }, /"clear" ends all faults/],
    ['fault', { clear: 'true' }, /"clear" must be true or false, not "true"/],
    ['fault', { expired: false }, /does nothing/],
    ['fault', { delay: 3_000_000_000 }, /at most 2147483647/],
    ['clock', { freeze: true, unfreeze: true }, /exclude each other/],
    ['clock', { freeze: '2030-01-01', advance: '1h' }, /leaves nothing of "advance"/],
    ['clock', { set: '1' }, /"set" must be a date/],
    ['clock', { set: '2030-02-31T00:00:00Z' }, /"set" must be a date/],
    [
      'oauth2',
      { sub: '1', authURL: 'http://x/?redirect_uri=foo' },
      /redirect_uri "foo" of the address is not a URL/,
    ],
    [
      'state',
      { version: 1, tables: [null], records: {}, files: {}, memory: [], random: {} },
      /Table definition 0/,
    ],
    ['make/postz', {}, /no table "postz"\. Did you mean "posts"/],
    ['oauth2', { email: 'bob@example.com' }, /"sub" or "reject" is required/],
    ['oauth2', { sub: '1', authURL: 'nowhere' }, /"authURL" must be a URL/],
    [
      'records/users',
      [{ email: 'b@example.com', password: 'secret1234', verified: 'maybe' }],
      /true or false/,
    ],
  ])('POST %s rejects %j', async (path, body, message) => {
    const { post } = await start()
    const response = await post(path, body)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.body.message).toMatch(message)
  })

  it('names the methods of a path that exists', async () => {
    const { send } = await start()
    const { status, body } = await send('/_conformance/state', { method: 'DELETE' })
    expect([status, body.message]).toEqual([404, 'Unknown control request "DELETE state". Use GET or POST.'])
  })
})

describe('what else a test needs', () => {
  it('makes records with invented values', async () => {
    const { get, post } = await start()
    const { records } = (await post('make/posts', { count: 3, values: { title: 'same' } })).body
    expect(records).toMatchObject([{ title: 'same' }, { title: 'same' }, { title: 'same' }])
    expect((await get('records/posts')).body.records).toHaveLength(4)
  })

  it('ends realtime connections', async () => {
    const { started, get, send } = await start()
    const stream = await fetch(`${started.url}/api/v1/realtime`)
    expect((await get('realtime')).body).toEqual({ connections: 1 })
    expect((await send('/_conformance/realtime', { method: 'DELETE' })).status).toBe(204)
    expect(await stream.text()).toContain('PB_CONNECT')
    expect((await get('realtime')).body).toEqual({ connections: 0 })
  })

  it('takes back a state of more than 16 MiB', async () => {
    const { started, get, post } = await start()
    const tables = [
      { name: 'papers', createRule: '', fields: [{ name: 'paper', type: 'file', maxSize: 20_000_000 }] },
    ]
    await post('tables', tables)
    const form = new FormData()
    form.append('paper', new File([new Uint8Array(14_000_000)], 'paper.bin'))
    const uploaded = await fetch(`${started.url}/api/v1/collections/papers/records`, {
      method: 'POST',
      body: form,
    })
    expect(uploaded.status).toBe(200)
    const { body: state } = await get('state')
    expect(JSON.stringify(state).length).toBeGreaterThan(16 * 1024 * 1024)
    expect(await post('state', state)).toMatchObject({ status: 200, body: { records: { papers: 1 } } })
  })

  it('says what to know about added records', async () => {
    const { post } = await start()
    const password = '$2a$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234567'
    const { notices } = (await post('records/users', [{ email: 'b@example.com', password }])).body
    expect(notices).toEqual([expect.stringContaining('looks like a hash')])
  })
})
