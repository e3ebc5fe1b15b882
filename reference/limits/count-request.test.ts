import { describe, expect, test } from 'vitest'
import { type AuthWorld, makeAuthWorld, password } from '../../test/support/auth-world.ts'
import type { RateLimitRule } from '../services.ts'

const limited = (rules: RateLimitRule[], enabled = true) => makeAuthWorld({ rateLimits: { enabled, rules } })

/** Statuses of this many concurrent requests. */
async function tries(
  world: AuthWorld,
  count: number,
  table = 'members',
  action = 'auth-with-password',
  token?: string,
) {
  const statuses: number[] = []
  for (let at = 0; at < count; at++) statuses.push((await world.act(table, action, {}, token)).status)
  return statuses
}

describe('rate limits', () => {
  test('reject requests above the limit of a window, for each table and route', async () => {
    const world = await limited([{ label: '*:auth', duration: 3, maxRequests: 2 }])
    expect(await tries(world, 3)).toEqual([400, 400, 429])
    expect(await tries(world, 1, 'others')).toEqual([400])
    expect(await tries(world, 1, 'members', 'auth-with-otp')).toEqual([400])
    world.reference.clock.advance(2999)
    expect(await tries(world, 1)).toEqual([429])
    world.reference.clock.advance(1)
    expect(await tries(world, 3)).toEqual([400, 400, 429])
  })

  test.each<[string, RateLimitRule[]]>([
    [
      'the action of the table',
      [
        { label: '*:auth', duration: 9, maxRequests: 9 },
        { label: 'members:authWithPassword', duration: 9, maxRequests: 1 },
      ],
    ],
    [
      'the exact path',
      [{ label: '/api/v1/collections/members/auth-with-password', duration: 9, maxRequests: 1 }],
    ],
    ['method and path', [{ label: 'POST /api/v1/collections/', duration: 9, maxRequests: 1 }]],
    ['the beginning of the path', [{ label: '/api/v1/', duration: 9, maxRequests: 1 }]],
    ['guests', [{ label: '*:auth', audience: '@guest', duration: 9, maxRequests: 1 }]],
  ])('go by %s', async (_, rules) => {
    expect(await tries(await limited(rules), 2)).toEqual([400, 429])
  })

  test('count each address, and guests and others, on their own', async () => {
    const rule = { label: 'members:list', duration: 9, maxRequests: 1 }
    const { reference } = await limited([
      { ...rule, audience: '@guest' },
      { ...rule, audience: '@auth' },
    ])
    const { key } = await reference.apiKeys.create({ name: 'k', tables: ['members'], actions: ['list'] })
    const status = async (ip: string, authorization = '') => {
      const init = { headers: { authorization } }
      return (await reference.fetch('/api/v1/collections/members/records', init, ip)).status
    }
    const statuses = [await status('10.0.0.1'), await status('10.0.0.2'), await status('10.0.0.1')]
    expect([...statuses, await status('10.0.0.1', key), await status('10.0.0.1', key)]).toEqual([
      200, 200, 429, 200, 429,
    ])
  })

  test('go by the beginning of a path only if the label ends with a slash', async () => {
    const world = await limited([{ label: '/api/v1/collections/members/auth', duration: 9, maxRequests: 1 }])
    expect(await tries(world, 2)).toEqual([400, 400])
  })

  test('do not apply to superusers, other audiences, excluded addresses, and to anyone if they are off', async () => {
    const rules: RateLimitRule[] = [{ label: '*:auth', duration: 9, maxRequests: 1 }]
    const world = await limited([{ label: '*:auth', audience: '@auth', duration: 9, maxRequests: 1 }])
    expect(await tries(world, 2)).toEqual([400, 400])
    const strict = await limited(rules)
    expect(await tries(strict, 2, 'members', 'auth-with-password', strict.superuser)).toEqual([400, 400])
    expect(await tries(await limited(rules, false), 2)).toEqual([400, 400])
    const excluded = await makeAuthWorld({
      rateLimits: { enabled: true, rules, excludedIPs: ['127.0.0.1'] },
    })
    expect(await tries(excluded, 2)).toEqual([400, 400])
  })

  test('come before the requirement of a token, and after the missing table', async () => {
    const world = await limited([{ label: '*:authRefresh', duration: 9, maxRequests: 1 }])
    expect(await tries(world, 2, 'members', 'auth-refresh')).toEqual([401, 429])
    expect(await tries(world, 2, 'nope', 'auth-refresh')).toEqual([404, 404])
  })

  test('count the entries of a batch', async () => {
    const world = await limited([{ label: 'members:create', duration: 9, maxRequests: 1 }])
    const entry = (name: string) => ({
      method: 'POST',
      url: '/api/v1/collections/members/records',
      body: { email: `${name}@example.com`, password, passwordConfirm: password },
    })
    const rejected = await world.call('POST /batch', { requests: [entry('ann'), entry('bob')] })
    expect(rejected.body.data.requests[1].response.status).toBe(429)
    const upserts = ['eve', 'fay'].map((name) => ({ ...entry(name), method: 'PUT' }))
    const third = await limited([{ label: 'members:create', duration: 9, maxRequests: 1 }])
    const { data } = (await third.call('POST /batch', { requests: upserts })).body
    expect(data.requests[1].response.status).toBe(429)
    const other = await limited([{ label: 'members:create', duration: 9, maxRequests: 1 }])
    expect((await other.act('members', 'records', entry('cid').body)).status).toBe(200)
    expect((await other.call('POST /batch', { requests: [entry('dan')] })).status).toBe(200)
  })

  test('are held by snapshots, and not shared with forks', async () => {
    const world = await limited([{ label: '*:auth', duration: 9, maxRequests: 1 }])
    const before = world.reference.snapshot()
    await tries(world, 1)
    const fork = world.reference.fork()
    world.reference.restore(before)
    expect(await tries(world, 2)).toEqual([400, 429])
    const line = `${fork.prefix}/collections/members/auth-with-password`
    expect((await fork.fetch(line, { method: 'POST' })).status).toBe(429)
    world.reference.reset()
    fork.reset()
    expect((await fork.fetch(line, { method: 'POST' })).status).toBe(429)
  })
})

test('superusers come only from the allowed addresses', async () => {
  await expect(makeAuthWorld({ superuserIPs: ['10.0.0.0/8'] })).rejects.toThrow(/403/)
  await expect(makeAuthWorld({ superuserIPs: ['here'] })).rejects.toThrow(/is not an address/)
  const world = await makeAuthWorld({ superuserIPs: ['127.0.0.0/8'] })
  expect((await world.call('GET /collections/others/records', undefined, world.superuser)).status).toBe(200)
})
