import { afterEach, expect, test, vi } from 'vitest'
import { forumTables } from '../../test/support/forum-tables.ts'
import { call } from '../../test/support/reference-call.ts'
import { createReference } from '../reference.ts'

afterEach(() => vi.useRealTimers())

test('fake timers neither stop the server nor move its clock, and its clock moves no fake one', async () => {
  vi.useFakeTimers({
    now: new Date('2001-01-01'),
    toFake: ['setTimeout', 'setImmediate', 'Date', 'performance', 'setInterval'],
  })
  const reference = createReference({ tables: forumTables, passwordCost: 4 })
  expect(reference.clock.now()).toBeGreaterThan(Date.parse('2026-01-01'))
  const [member] = await reference.make('members')
  reference.clock.freeze('2040-02-03T04:05:06Z')
  const [note] = await reference.make('posts')
  expect([note?.created, new Date().getUTCFullYear()]).toEqual(['2040-02-03 04:05:06.000Z', 2001])
  await call(reference, 'POST /collections/members/request-verification', { email: member?.email })
  expect((await reference.mail.waitFor({ kind: 'verification', timeout: 10_000 })).token).toMatch(/^ey/)
  await expect(reference.mail.waitFor({ timeout: 20 })).rejects.toThrow('within 20 ms')
  reference.fault({ delay: 5, times: 1 })
  expect((await call(reference, 'GET /collections/posts/records')).status).toBe(200)
  vi.setSystemTime(new Date('2002-01-01'))
  expect(reference.clock.now()).toBe(Date.parse('2040-02-03T04:05:06Z'))
})

test('tokens expire when the clock says so', async () => {
  const reference = createReference({ tables: forumTables, passwordCost: 4 })
  const [member] = await reference.make('members')
  if (member === undefined) throw new Error('No member was made.')
  const actor = await reference.as(member)
  const refresh = () => actor.fetch('/api/v1/collections/members/auth-refresh', { method: 'POST' })
  expect((await refresh()).status).toBe(200)
  reference.clock.advance(8 * 24 * 3600 * 1000)
  expect((await refresh()).status).toBe(401)
})

test('a seed repeats ids, codes, tokens and keys', async () => {
  const run = async () => {
    const clock = '2030-01-01T00:00:00Z'
    const reference = createReference({ tables: forumTables, seed: 4, clock, passwordCost: 4 })
    reference.clock.freeze(clock)
    const { id } = await reference.records.create('members', { email: 'a@example.com', role: 'reader' })
    const asked = await call(reference, 'POST /collections/members/request-otp', { email: 'a@example.com' })
    const { code } = await reference.mail.waitFor({ to: 'a@example.com', kind: 'otp', timeout: 10_000 })
    const { key } = await reference.apiKeys.create({ tables: ['*'], actions: ['list'] })
    return { id, otpId: asked.body.otpId, code, key, token: await reference.tokenFor('members', id) }
  }
  expect(await run()).toEqual(await run())
})

test('ids can be counted or made, also after a snapshot', async () => {
  const counted = createReference({ tables: forumTables, ids: 'counting', passwordCost: 4 })
  await counted.make('members')
  const state = counted.snapshot()
  const next = async (reference: typeof counted) => (await reference.make('members'))[0]?.id
  expect(await next(counted)).toBe('000000000000002')
  expect(await next(counted.fork())).toBe('000000000000003')
  counted.restore(state)
  expect(await next(counted)).toBe('000000000000002')
  const named = createReference({
    tables: forumTables,
    ids: (before, table) => `${table}${before}`.padEnd(15, '0'),
    passwordCost: 4,
  })
  expect(await next(named as typeof counted)).toBe('members00000000')
})
