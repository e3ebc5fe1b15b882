import { setupServer } from 'msw/node'
import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference } from '../reference/reference.ts'
import { forumTables } from '../test/support/forum-tables.ts'
import { referenceHandler } from './msw.ts'
import { withReference } from './vitest.ts'

const reference = createReference({ tables: forumTables, prefix: '/api' })
const server = setupServer(referenceHandler(reference, 'https://forum.example/'))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('the official client reaches the reference through the handler, and faults reach the client', async () => {
  const pb = new PocketBase('https://forum.example').autoCancellation(false)
  await reference.make('posts', 3)
  expect((await pb.collection('posts').getList(1, 2)).totalItems).toBe(3)
  await pb
    .collection('members')
    .create({ email: 'a@example.com', password: 'password1', passwordConfirm: 'password1', role: 'reader' })
  await pb.collection('members').authWithPassword('a@example.com', 'password1')
  expect(pb.authStore.isValid).toBe(true)
  reference.fault({ match: 'listRecords', drop: true, times: 1 })
  await expect(pb.collection('posts').getList()).rejects.toMatchObject({ status: 0 })
  await expect(pb.collection('posts').getList()).resolves.toMatchObject({ totalItems: 3 })
})

withReference({ tables: forumTables, prefix: '/api' })(
  'the handler of a fork takes the requests of its test',
  async ({ reference: fork }) => {
    server.use(referenceHandler(fork, 'https://forum.example'))
    const before = reference.requests.length
    expect((await fetch('https://forum.example/api/collections/postz/records')).status).toBe(404)
    expect(fork.requests.explain()).toContain('There is no table "postz". Did you mean "posts"?')
    server.use(referenceHandler(fork))
    expect((await fetch('https://elsewhere.example/api/collections/posts/records')).status).toBe(200)
    expect(reference.requests.length).toBe(before)
    server.resetHandlers()
  },
)

test.each(['forum.example', 'https://forum.example/api', 'ws://forum.example'])(
  'an origin that matches no request is rejected: %s',
  (origin) => {
    expect(() => referenceHandler(reference, origin)).toThrow(
      `"${origin}" is not an origin, so no request would match: pass one such as "https://api.example.com"`,
    )
  },
)
