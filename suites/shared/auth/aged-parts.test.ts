import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BlockedError } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { type AgedPart, aged } from './aged-parts.ts'

/** Seconds by the clock on the wall, which a busy machine lets go by. */
let now = 0

beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now * 1_000)
})
afterEach(() => void vi.restoreAllMocks())

/** A correct server of tokens that last ten seconds. Each wait takes `stall` seconds more than it should. */
function contextOf(stall: number, lasts = 10): CheckContext {
  const ends = new Map<string, number>()
  const issue = () => {
    const token = `token-${ends.size}`
    ends.set(token, now + lasts)
    return { ok: true, status: 200, body: { token, record: { id: 'r1' } } }
  }
  const apiOf = (token: string): unknown => ({
    withToken: apiOf,
    authWithPassword: async () => issue(),
    authRefresh: async () => (now < (ends.get(token) ?? 0) ? issue() : { ok: false, status: 401, text: '' }),
  })
  const pass = async (seconds: number) => {
    now += seconds + stall
  }
  const context = {
    api: apiOf(''),
    binding: {},
    clock: { offered: false, moved: 0, pass },
    once: (_key: string, make: () => unknown) => make(),
    unique: () => 'name',
    has: () => false,
    table: (role: string) => ({ role, name: role }),
    make: async () => ({ id: 'r1' }),
  }
  return context as unknown as CheckContext
}

it.each<AgedPart>(['session', 'refreshed'])('the use of %s after the time is answered', async (part) => {
  expect((await aged(contextOf(0), part)).status).toBe(part === 'session' ? 401 : 200)
})

it.each([3, 7])('a machine that stalls for %i s is not the fault of the server', async (stall) => {
  await expect(aged(contextOf(stall), 'refreshed')).rejects.toThrow(BlockedError)
  expect((await aged(contextOf(stall), 'session')).status).toBe(401)
})

it('a token of a refresh that ends too early is the fault of the server', async () => {
  expect((await aged(contextOf(0, 7), 'refreshed')).status).toBe(401)
})
