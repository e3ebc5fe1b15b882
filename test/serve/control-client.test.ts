/** The client of the control endpoints, with a server of its own. */

import { afterEach, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { ControlError, connect } from '../../integrations/control.ts'
import { defineTables } from '../../reference/define-tables.ts'
import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { createControl } from '../../serve/control.ts'
import { readShape } from '../../serve/read-shape.ts'
import { type Serving, startServing } from '../../serve/serving.ts'
import { startTestServer } from '../support/test-server.ts'

let serving: Serving | undefined
afterEach(() => serving?.close())

async function start() {
  const data = readShape({
    users: [{ id: 'ann', email: 'ann@example.com', password: 'secret1234' }],
    posts: [{ id: 'p1', title: 'one' }],
  })
  serving = await startServing({ data, seed: 7, superuser, handlers: [createControl] })
  const { url } = serving
  const list = (path: string, init?: RequestInit) => fetch(`${url}/api/v1/collections/${path}`, init)
  return { control: connect(`${url}/_conformance`), list, url }
}

it('changes the data, and takes it back', async () => {
  const { control } = await start()
  const { id } = await control.snapshot()
  expect(await control.addRecords({ posts: [{ title: 'two' }] })).toMatchObject({ posts: [{ title: 'two' }] })
  expect(await control.addTables([{ name: 'tags', fields: [{ name: 'label', type: 'text' }] }])).toEqual([
    'tags',
  ])
  expect(await control.records('posts')).toMatchObject([{ title: 'one' }, { title: 'two' }])
  const state = await control.state()
  const last = await control.snapshot()
  expect(await control.restore(id)).toEqual({ id })
  expect(await control.restore()).toEqual(last)
  expect(await control.restore(id)).toEqual({ id })
  expect(await control.records('posts')).toHaveLength(1)
  expect(await control.loadState(state)).toMatchObject({ records: { posts: 2, tags: 0 } })
  await control.loadState({ notes: [{ text: 'a' }] })
  await control.addRecords({ notes: [{ text: 'b' }] })
  await control.reset()
  expect(await control.records('notes')).toMatchObject([{ text: 'a' }])
  await expect(control.restore(id)).rejects.toMatchObject({ status: 409 })
})

it('controls the clock, tokens, keys, faults and emails, and reads requests', async () => {
  const { control, list } = await start()
  expect(await control.clock({ freeze: '2030-01-31T12:00:00Z' })).toMatchObject({ frozen: true })
  expect((await control.clock()).now).toBe('2030-01-31T12:00:00.000Z')
  const authorization = await control.token({ table: 'users', email: 'ann@example.com' })
  const refreshed = await list('users/auth-refresh', { method: 'POST', headers: { authorization } })
  expect(refreshed.status).toBe(200)
  const { id, key } = await control.createApiKey({ tables: ['posts'], actions: ['view'] })
  const listed = () => list('posts/records', { headers: { authorization: key } })
  expect((await listed()).status).toBe(403)
  const [stored = {}] = await control.records('_apiKeys')
  expect([stored.id, Object.keys(stored).includes('hash')]).toEqual([id, false])
  await expect(control.records('a/b')).rejects.toThrow('There is no table "a/b".')
  await control.revokeApiKey(id)
  expect((await listed()).status).toBe(200)
  await control.fault({ match: 'listRecords', status: 503 })
  expect((await list('posts/records')).status).toBe(503)
  await control.clearFaults()
  const waiting = control.emails({ to: 'ann@example.com', kind: 'password-reset', wait: 5000 })
  await list('users/request-password-reset', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com' }),
  })
  expect(await waiting).toMatchObject([{ kind: 'password-reset', token: expect.any(String) }])
  expect(await control.emails({ to: undefined })).toHaveLength(1)
  await control.clearEmails()
  expect(await control.emails()).toEqual([])
  const requests = await control.requests()
  expect(requests.map(({ status }) => status)).toEqual([200, 403, 200, 503, 204])
  expect(requests[1]?.reason?.[0]).toMatch(/^The scope of the API key .* lacks list on "posts"/)
  await control.clearRequests()
  expect(await control.requests()).toEqual([])
})

it('gives records the types of their tables', async () => {
  const tables = defineTables([
    { name: 'posts', fields: [{ name: 'title', type: 'text' }] },
    { name: 'users', type: 'auth', fields: [{ name: 'role', type: 'select', values: ['a', 'b'] }] },
  ])
  const untyped = await start()
  const control = connect<typeof tables>(untyped.url)
  const [post] = await control.records('posts')
  expectTypeOf(post).toEqualTypeOf<
    { id: string; title: string; created: string; updated: string } | undefined
  >()
  expect(post?.title).toBe('one')
  const [first, second] = await control.make('posts', 2)
  expectTypeOf(second.title).toEqualTypeOf<string>()
  expect(first.id).not.toBe(second.id)
  const { posts } = await control.addRecords({ posts: [{ title: 'two' }] })
  expectTypeOf(posts[0]?.title).toEqualTypeOf<string | undefined>()
  expectTypeOf(await control.records('users')).items.toHaveProperty('role')
  const saved = { ...first, id: 'post00000000009', title: 'three' }
  expect((await control.addRecords({ posts: [saved] })).posts).toMatchObject([{ title: 'three' }])
  // @ts-expect-error There is no such field.
  await expect(control.addRecords({ posts: [{ titel: 'x' }] })).rejects.toThrow('has no field "titel"')
  // @ts-expect-error There is no such field.
  await expect(control.make('posts', 1, { titel: 'x' })).rejects.toThrow('has no field "titel"')
  // @ts-expect-error The definition has no such value, and the server no such field.
  await expect(control.make('users', 1, { role: 'c' })).rejects.toThrow('has no field "role"')
  // @ts-expect-error There is no such table.
  await expect(control.records('post')).rejects.toThrow('There is no table "post".')
  expectTypeOf(await untyped.control.records('posts')).items.toEqualTypeOf<Record<string, unknown>>()
})

it('says what the server rejects', async () => {
  const { control, url } = await start()
  const rejected = control.addRecords({ post: [] })
  await expect(rejected).rejects.toThrow(
    new ControlError('There is no table "post". Did you mean "posts"? Available: users, posts.', 404),
  )
  await expect(control.reload()).rejects.toThrow('There is no data file to read')
  await expect(control.records('..')).rejects.toThrow('There is no table "..".')
  expect(() => connect(undefined)).toThrow(/The URL is missing: pass CONTROL_URL/)
  expect(await connect(url).records('posts')).toHaveLength(1)
})

it('makes records, chooses who signs in, and controls realtime', async () => {
  const { control, url } = await start()
  expect(await control.make('posts', 2, { title: 'x' })).toMatchObject([{ title: 'x' }, { title: 'x' }])
  expect(await control.nextUser({ sub: '1', email: 'bob@example.com' })).toMatch(/^pretend_/)
  const page = `${url}/_oauth2/authorize?state=s&redirect_uri=http%3A%2F%2Fapp.test%2Fback`
  const back = new URL(await control.visitProvider(page, { reject: 'token' }))
  expect([back.origin, back.searchParams.get('state')]).toEqual(['http://app.test', 's'])
  expect(await control.realtimeConnections()).toBe(0)
  await control.disconnectRealtime()
  expect(await control.apiKeys()).toEqual([])
})

it('reads one request with the command that repeats it', async () => {
  const { control, list } = await start()
  await list('posts/records')
  const [first] = await control.requests()
  expect(await control.request(first?.id ?? 0)).toMatchObject({
    status: 200,
    curl: expect.stringMatching(/^curl /),
  })
})

it('says what is wrong with the server', async () => {
  expect(() => connect('localhost:8090')).toThrow('"localhost:8090" is not the URL of a server')
  expect(() => connect('127.0.0.1:1')).toThrow('write it like http://127.0.0.1:8090')
  await expect(connect('http://127.0.0.1:1').clock()).rejects.toThrow(
    'There is no server at http://127.0.0.1:1 (bad port): start one with "conformance serve --control".',
  )
  serving = await startServing({ data: readShape({ posts: [] }), seed: 7, superuser })
  await expect(connect(serving.url).clock()).rejects.toThrow(
    /has no control endpoints: start it with --control/,
  )
  const other = await startTestServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  })
  onTestFinished(() => other.close())
  await expect(connect(other.url).clock()).rejects.toThrow(
    new ControlError(
      `The server at ${other.url} has no control endpoints: start it with --control. It responded: <!doctype html>`,
      200,
    ),
  )
})
