/** Who receives which change: the rules, filters and callers of subscriptions. */

import { afterEach, expect, test, vi } from 'vitest'
import { type AnyReference, createReference } from '../../reference.ts'
import { servicesOf } from '../../services-of.ts'
import type { Row, Table } from '../../vocabulary.ts'
import { identityOf } from './identity.ts'

const tables = [
  { id: 'members_id', name: 'members', type: 'auth', viewRule: '', fields: [] },
  {
    id: 'posts_id',
    name: 'posts',
    listRule: '',
    viewRule: '',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'secret', type: 'text', hidden: true },
    ],
  },
  { name: 'shown', listRule: null, viewRule: '', fields: [] },
  { name: 'listed', listRule: '', viewRule: null, fields: [] },
  {
    name: 'owned',
    listRule: '@request.auth.id != ""',
    fields: [{ name: 'owner', type: 'relation', collectionId: 'members_id' }],
  },
  { name: 'keyed', listRule: '@request.headers.x_token = "a"', fields: [] },
  { name: 'mine', listRule: 'owner = @request.auth.id', fields: [{ name: 'owner', type: 'text' }] },
]
const opened: AnyReference[] = []

function makeReference(log?: (error: unknown) => void): AnyReference {
  const reference: AnyReference = createReference({
    tables: tables as never,
    superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
    records: { members: [{ id: 'member000000001', email: 'ann@example.com', password: 'password1' }] },
    ...(log && { log }),
  })
  opened.push(reference)
  return reference
}

afterEach(() => Promise.all(opened.splice(0).map((reference) => reference.close())))

/** Opens a stream, and sets its topics. */
async function listen(
  reference: AnyReference,
  subscriptions: unknown,
  { token = '', ip }: { token?: string; ip?: string } = {},
) {
  const stream = await reference.fetch('/api/v1/realtime', {}, ip)
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  const clientId = /"clientId":"(\w+)"/.exec(new TextDecoder().decode((await reader.read()).value))?.[1]
  const subscribe = async (topics: unknown, authorization = token, from = ip) =>
    (
      await reference.fetch(
        '/api/v1/realtime',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ clientId, subscriptions: topics }),
        },
        from,
      )
    ).status
  expect(await subscribe(subscriptions)).toBe(204)
  return {
    subscribe,
    /** Ends all streams of the reference, and returns the events of this one. */
    async heard() {
      await reference.realtime.idle()
      reference.realtime.disconnect()
      let text = ''
      for (let next = await reader.read(); !next.done; next = await reader.read())
        text += new TextDecoder().decode(next.value)
      return [...text.matchAll(/event:(.*)\ndata:(.*)\n/g)].map(([, topic, data = '']) => {
        const { action, record } = JSON.parse(data)
        return `${topic} ${action} ${record.title || record.id}`
      })
    },
  }
}

const withOptions = (path: string, options: object) =>
  `${path}?options=${encodeURIComponent(JSON.stringify(options))}`

test('a topic of one record uses the view rule, and one of all the list rule', async () => {
  const reference = makeReference()
  const [one, all] = ['shown0000000001', 'listed000000001']
  const { heard } = await listen(reference, [`shown/${one}`, 'shown/*', `listed/${all}`, 'listed/*'])
  await reference.records.create('shown', { id: one })
  await reference.records.create('listed', { id: all })
  expect(await heard()).toEqual([`shown/${one} create ${one}`, `listed/* create ${all}`])
})

test('all spellings of a topic are heard, each once', async () => {
  const reference = makeReference()
  const id = 'post00000000001'
  const topics = ['posts/*', 'posts', 'posts_id/*', 'posts_id', `posts/${id}`, `posts_id/${id}`]
  const { heard } = await listen(reference, [...topics, 'posts/*', 'posts/*?a\nevent:forged', ''])
  await reference.records.create('posts', { id })
  expect((await heard()).sort()).toEqual(topics.map((topic) => `${topic} create ${id}`).sort())
})

test('topics with different options are heard next to each other, by the same caller', async () => {
  const reference = makeReference()
  const [ids, titles] = ['id', 'title'].map((fields) => withOptions('posts/*', { query: { fields } }))
  const { heard } = await listen(reference, [ids, titles])
  await reference.records.create('posts', { id: 'post00000000001', title: 'a' })
  expect(await heard()).toEqual([`${ids} create post00000000001`, `${titles} create a`])
})

test.each([
  ['on a hidden field', 'secret = "s"'],
  ['that only superusers may use', '@request.auth.id = "" && @collection.posts.id != ""'],
  ['that cannot be read', 'title = '],
])('with a filter %s a guest hears nothing, and nothing is logged', async (_name, filter) => {
  const log = vi.fn()
  const reference = makeReference(log)
  const { heard } = await listen(reference, [withOptions('posts/*', { query: { filter } }), 'shown/*'])
  await reference.records.create('posts', { title: 'a', secret: 's' })
  await reference.records.create('shown', {})
  expect(await heard()).toEqual([])
  expect(log).not.toHaveBeenCalled()
})

test('each caller hears what its own rule allows, while it exists', async () => {
  const reference = makeReference()
  const token = await reference.tokenFor('members', 'member000000001')
  const [guest, member] = [
    await listen(reference, ['mine/*']),
    await listen(reference, ['mine/*'], { token }),
  ]
  await reference.records.create('mine', { id: 'mine00000000001', owner: 'member000000001' })
  await reference.records.delete('mine', 'mine00000000001')
  await reference.records.delete('members', 'member000000001')
  await reference.records.create('mine', { id: 'mine00000000002', owner: 'member000000001' })
  const texts = await Promise.all([guest.heard(), member.heard()])
  expect(texts).toEqual([[], ['mine/* create mine00000000001', 'mine/* delete mine00000000001']])
})

test('a record that its own batch has deleted satisfies no rule but an empty one', async () => {
  const reference = makeReference()
  const { heard } = await listen(reference, ['mine/*', 'posts/*'])
  const root = await reference.records.find('_superusers', { email: 'root@example.com' })
  const authorization = await reference.tokenFor('_superusers', String(root?.id))
  const batch = (table: string, id: string) => {
    const url = `/api/v1/collections/${table}/records`
    return [
      { method: 'POST', url, body: { id } },
      { method: 'DELETE', url: `${url}/${id}` },
    ]
  }
  const response = await reference.fetch('/api/v1/batch', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({
      requests: [...batch('mine', 'mine00000000001'), ...batch('posts', 'post00000000001')],
    }),
  })
  expect(response.status).toBe(200)
  expect(await heard()).toEqual(['posts/* create post00000000001', 'posts/* delete post00000000001'])
})

test('a deleted account hears of the records that lose their reference to it', async () => {
  const reference = makeReference()
  const token = await reference.tokenFor('members', 'member000000001')
  const { id } = await reference.records.create('owned', { owner: 'member000000001' })
  const { heard } = await listen(reference, ['owned/*'], { token })
  await reference.records.delete('members', 'member000000001')
  await reference.records.create('owned', {})
  expect(await heard()).toEqual([`owned/* update ${id}`])
})

test('options have values that are text, and headers that rules can name', async () => {
  const reference = makeReference()
  const keyed = withOptions('keyed/*', { headers: { 'X-Token': 'a' } })
  const odd = withOptions('posts/*', { query: { filter: {} } })
  const { heard } = await listen(reference, ['keyed/*', keyed, odd])
  await reference.records.create('keyed', { id: 'keyed0000000001' })
  await reference.records.create('posts', { title: 'a' })
  expect(await heard()).toEqual([`${keyed} create keyed0000000001`, `${odd} create a`])
})

test('no superuser hears of API keys', async () => {
  const reference = makeReference()
  const root = await reference.records.find('_superusers', { email: 'root@example.com' })
  const token = await reference.tokenFor('_superusers', String(root?.id))
  const { heard } = await listen(reference, ['_apiKeys/*', 'shown/*'], { token })
  await reference.apiKeys.create({ name: 'k', tables: ['*'], actions: ['list'] })
  await reference.records.create('shown', { id: 'shown0000000001' })
  expect(await heard()).toEqual(['shown/* create shown0000000001'])
})

test('a session ends with the secret of its table', async () => {
  const reference = makeReference()
  const { store, findApiKey } = servicesOf(reference)
  const table = store.current.table('members') as Table
  const row = store.current.get(table, 'member000000001') as Row
  const token = { text: '', refreshable: true, expires: 0 }
  const session = identityOf({ kind: 'record', table, row, token }, '', findApiKey)
  expect(session.callerIn(store.current).kind).toBe('record')
  const state = await reference.exportState()
  const tables = state.tables.map((each) =>
    each.name === 'members' ? { ...each, authToken: { ...each.authToken, secret: 'x'.repeat(50) } } : each,
  )
  await reference.importState({ ...state, tables })
  expect(session.callerIn(store.current)).toEqual({ kind: 'guest' })
})

test('an API key hears what it may read until it is revoked', async () => {
  const reference = makeReference()
  const { key, id } = await reference.apiKeys.create({ name: 'k', tables: ['*'], actions: ['list', 'view'] })
  const { heard } = await listen(reference, ['mine/*', 'shown/*', '_apiKeys/*'], {
    token: key,
  })
  await reference.records.create('shown', { id: 'shown0000000001' })
  await reference.realtime.idle()
  await reference.apiKeys.revoke(id)
  await reference.records.create('shown', { id: 'shown0000000002' })
  expect(await heard()).toEqual(['shown/* create shown0000000001'])
})

test('new topics replace the old ones, and come from the same address', async () => {
  const reference = makeReference()
  const { subscribe, heard } = await listen(reference, ['posts/*'], { ip: '10.0.0.1' })
  expect(await subscribe(['shown/*'], '', '10.0.0.2')).toBe(400)
  expect(await subscribe(['members'])).toBe(204)
  await reference.records.create('posts', {})
  expect(await heard()).toEqual([])
})

test('a connection of one API key is not for another one', async () => {
  const reference = makeReference()
  const scope = { tables: ['posts'], actions: ['list'] } as const
  const [one, other] = [
    await reference.apiKeys.create({ name: 'one', ...scope }),
    await reference.apiKeys.create({ name: 'other', ...scope }),
  ]
  const { subscribe } = await listen(reference, ['posts/*'], { token: one.key })
  expect(await subscribe(['posts/*'], other.key)).toBe(403)
  expect(await subscribe(['posts/*'], one.key)).toBe(204)
})

test('a session that has ended leaves its connection to the next caller', async () => {
  const reference = makeReference()
  const token = await reference.tokenFor('members', 'member000000001')
  const { subscribe } = await listen(reference, [], { token })
  expect(await subscribe([], '')).toBe(403)
  await reference.records.update('members', 'member000000001', { password: 'password2' })
  expect(await subscribe([], '')).toBe(204)
})

test.each([
  [1_000, 'a', 204],
  [1_001, 'a', 400],
  [1, 'a'.repeat(2_500), 204],
  [1, 'a'.repeat(2_501), 400],
  [1, 'é'.repeat(1_251), 400],
])('takes %d topics like %.3s… with the status of the limits', async (count, topic, status) => {
  const { subscribe } = await listen(makeReference(), [])
  expect(await subscribe(Array.from({ length: count }, () => topic))).toBe(status)
})

test('the head of a stream keeps it from being stored or buffered, and opens none by itself', async () => {
  const reference = makeReference()
  for (const method of ['HEAD', 'GET']) {
    const { status, headers } = await reference.fetch('/api/v1/realtime', { method })
    expect([status, headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual([
      200,
      'no-store',
      'no',
    ])
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(reference.realtime.connections).toBe(method === 'GET' ? 1 : 0)
  }
})

test('the body of a subscription may be a form with one topic, and has a known form otherwise', async () => {
  const reference = makeReference()
  const send = async (body: string, type = 'application/json') =>
    (await reference.fetch('/api/v1/realtime', { method: 'POST', headers: { 'content-type': type }, body }))
      .status
  const stream = await reference.fetch('/api/v1/realtime')
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
  const id = /"clientId":"(\w+)"/.exec(new TextDecoder().decode((await reader.read()).value))?.[1]
  const form = new URLSearchParams({ clientId: String(id), subscriptions: 'posts/*' })
  expect(await send(String(form), 'application/x-www-form-urlencoded')).toBe(204)
  expect(await send(JSON.stringify({ clientId: id, subscriptions: [5] }))).toBe(400)
  expect(await send(JSON.stringify({ clientId: 'x'.repeat(255) }))).toBe(404)
  expect(await send(JSON.stringify({ clientId: 'x'.repeat(256) }))).toBe(400)
})
