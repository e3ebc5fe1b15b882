import { expect, test } from 'vitest'
import { createReference } from '../reference.ts'

const tables = [
  { name: 'members', type: 'auth', listRule: '', fields: [] },
  { name: 'posts', updateRule: '', fields: [{ name: 'title', type: 'text' }] },
] as const

const send = (reference: { fetch: typeof fetch }, path: string, method: string, body: object) =>
  reference.fetch(`/api/v1/collections/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function edited(change: (records: Record<string, Record<string, unknown>[]>) => void) {
  const one = createReference({ tables, passwordCost: 4 })
  await one.make('posts')
  await one.make('members')
  const state = await one.exportState()
  change(Object.fromEntries(state.tables.map(({ id = '', name }) => [name, state.records[id] ?? []])))
  const other = createReference({ passwordCost: 4 })
  await other.importState(state)
  return other
}

test('a record keeps an id that new records could not have, and can be changed', async () => {
  const reference = await edited(({ posts = [] }) => Object.assign(posts[0] ?? {}, { id: 'short1' }))
  const response = await send(reference as never, 'posts/records/short1', 'PATCH', { title: 'new' })
  expect([response.status, await response.json()]).toMatchObject([200, { id: 'short1', title: 'new' }])
  const other = await send(reference as never, 'posts/records/short1', 'PATCH', { id: 'short2' })
  expect(other.status).toBe(400)
})

test('a record with the id of another is named', async () => {
  const twice = edited(({ posts = [] }) => posts.push({ ...posts[0] }))
  await expect(twice).rejects.toThrow(
    /^Record posts\[1\] of the state, with id "\w{15}", cannot be kept: Table "posts" already holds a record with the same id/,
  )
})

test('a plain password that was written into a state is hashed', async () => {
  const reference = await edited(({ members = [] }) =>
    Object.assign(members[0] ?? {}, { email: 'ann@example.com', password: 'plain1234' }),
  )
  expect(JSON.stringify(await reference.exportState())).not.toContain('plain1234')
  const response = await send(reference as never, 'members/auth-with-password', 'POST', {
    identity: 'ann@example.com',
    password: 'plain1234',
  })
  expect(response.status).toBe(200)
})

test('ids of records to begin with must fit their tables all the same', () => {
  expect(() => createReference({ tables, records: { posts: [{ id: 'short1' }] } })).toThrow(
    'Record posts[0] does not fit its table: id: Must be at least 15 character(s).',
  )
})

test('a password that clients could not set is noticed', () => {
  const { notices } = createReference({
    tables,
    records: {
      members: [
        { email: 'a@example.com', password: 'short' },
        { email: 'b@example.com', password: 'long-enough' },
        { email: 'c@example.com', password: 'x'.repeat(80) },
      ],
    },
  })
  expect(notices).toEqual([
    'The password of 2 records of "members" would be rejected from a client: Must be at least 8 character(s).',
  ])
})

test('a hash that is given as a password is noticed', () => {
  const password = `$2a$10$${'a'.repeat(53)}`
  const { notices } = createReference({
    tables,
    records: { members: [{ email: 'a@example.com', password }] },
  })
  expect(notices).toEqual([
    'The password of 1 record of "members" looks like a hash and is used as the password itself: pass plain-text passwords.',
  ])
})
