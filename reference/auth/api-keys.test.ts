import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../test/support/reference-call.ts'
import { createReference, type Reference } from '../reference.ts'
import { servicesOf } from '../services-of.ts'

const rest = { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null }
let reference: Reference
let all: string
let posts: string
beforeAll(async () => {
  reference = createReference({
    tables: [
      {
        id: 'pbc_posts_00001',
        name: 'posts',
        ...rest,
        fields: [
          { name: 'title', type: 'text' },
          { name: 'secret', type: 'text', hidden: true },
          { name: 'author', type: 'relation', collectionId: 'pbc_users_00001' },
        ],
      },
      { id: 'pbc_users_00001', name: 'users', type: 'auth', ...rest },
    ],
    records: {
      users: [{ id: 'user00000000001', email: 'ann@example.com', password: 'password1' }],
      posts: [{ id: 'post00000000001', title: 'one', secret: 's', author: 'user00000000001' }],
    },
    apiKeys: [
      { name: 'all', tables: ['*'], actions: ['list', 'view', 'create', 'update', 'delete'] },
      { name: 'posts', tables: ['posts'], actions: ['list', 'create'] },
    ],
    passwordCost: 4,
  })
  ;[all = '', posts = ''] = reference.apiKeys.initial.map(({ key }) => key)
})

const status = async (line: string, token: string, body?: unknown) =>
  (await call(reference, line, body, { token })).status

describe('project API keys', () => {
  test('are shown once, and kept as a hash', () => {
    expect(all).toMatch(/^rak_[a-z0-9]{15}_[A-Za-z0-9]{40}$/)
    const listed = reference.apiKeys.list()
    expect(listed.map(({ name }) => name)).toEqual(['all', 'posts'])
    const secret = all.split('_').at(-1) ?? ''
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect(
      JSON.stringify(
        [...servicesOf(reference).store.current.tables()].map((t) => [
          ...servicesOf(reference).store.current.scan(t),
        ]),
      ),
    ).not.toContain(secret)
  })

  test.each([
    ['GET /collections/posts/records', undefined, 200, 200],
    ['GET /collections/posts/records/post00000000001', undefined, 200, 403],
    ['POST /collections/posts/records', { title: 'x' }, 200, 200],
    ['PATCH /collections/posts/records/post00000000001', { title: 'y' }, 200, 403],
    ['GET /collections/users/records', undefined, 200, 403],
    ['DELETE /collections/posts/records/nothing', undefined, 404, 403],
    ['GET /collections/_superusers/records', undefined, 403, 403],
    ['GET /collections/_apiKeys/records', undefined, 404, 404],
    ['POST /collections/users/auth-refresh', {}, 403, 403],
    ['POST /collections/users/request-email-change', { newEmail: 'x@example.com' }, 403, 403],
    ['POST /collections/users/impersonate/user00000000001', {}, 403, 403],
  ])('%s', async (line, body, byAll, byPosts) => {
    expect([await status(line, all, body), await status(line, posts, body)]).toEqual([byAll, byPosts])
  })

  test('cannot be queried by a filter of any caller', async () => {
    const fork = reference.fork()
    const services = servicesOf(fork)
    const table = servicesOf(fork).store.current.table('_superusers')
    if (table === undefined) throw new Error('There are no superusers.')
    const values = { email: 'root@example.com', tokenKey: 'k'.repeat(50) }
    const row = await servicesOf(fork).store.transaction((writer) =>
      writer.insert(table, { id: 'root00000000001', ...values }),
    )
    const token = await services.tokens.sign(table, row, 'auth')
    const list = (filter: string) =>
      call(fork, `GET /collections/posts/records?filter=${encodeURIComponent(filter)}`, undefined, { token })
    expect((await list('@collection.users.id != ""')).status).toBe(200)
    expect((await list('@collection._apiKeys.hash ~ "a"')).status).toBe(400)
  })

  test('are sent as they are, or as a bearer', async () => {
    expect(await status('GET /collections/posts/records', `Bearer ${posts}`)).toBe(200)
  })

  test('do not show what is hidden', async () => {
    const line = 'GET /collections/posts/records/post00000000001?expand=author'
    const { body, text } = await call(reference, line, undefined, { token: all })
    expect(body.expand.author.id).toBe('user00000000001')
    expect(text).not.toMatch(/"secret"|ann@example/)
  })

  test('expand no table outside their scope', async () => {
    const { body } = await call(reference, 'GET /collections/posts/records?expand=author', undefined, {
      token: posts,
    })
    expect(body.items[0].expand).toBeUndefined()
  })

  test('make a batch fail as a whole if one of its requests is out of scope', async () => {
    const before = (await call(reference, 'GET /collections/posts/records', undefined, { token: all })).body
      .totalItems
    const requests = [
      { method: 'POST', url: '/api/v1/collections/posts/records', body: { title: 'a' } },
      { method: 'DELETE', url: '/api/v1/collections/posts/records/post00000000001' },
    ]
    const { status, body } = await call(reference, 'POST /batch', { requests }, { token: posts })
    expect([status, body.data.requests[1].response.status]).toEqual([400, 403])
    const after = (await call(reference, 'GET /collections/posts/records', undefined, { token: all })).body
      .totalItems
    expect(after).toBe(before)
  })

  test('end when they are revoked, and no others with them', async () => {
    const fork = reference.fork()
    const { id, key } = await fork.apiKeys.create({ tables: ['posts'], actions: ['list'] })
    const list = (token: string) => call(fork, 'GET /collections/posts/records', undefined, { token })
    expect((await list(key)).status).toBe(200)
    expect(fork.apiKeys.list().find((one) => one.id === id)?.lastUsed).toBeGreaterThan(0)
    expect([await fork.apiKeys.revoke(id), await fork.apiKeys.revoke(id)]).toEqual([true, false])
    const statuses = []
    for (const token of [key, `${all.slice(0, -1)}!`, `${all}x`, all])
      statuses.push((await list(token)).status)
    expect(statuses).toEqual([403, 403, 403, 200])
  })

  test('cannot be made for nothing', async () => {
    for (const scope of [
      { tables: [], actions: ['list' as const] },
      { tables: ['*'], actions: [] },
      { tables: ['*'], actions: ['truncate' as 'list'] },
    ])
      await expect(reference.apiKeys.create(scope)).rejects.toThrow(RangeError)
  })
})
