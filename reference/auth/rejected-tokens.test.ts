/** Why a token is rejected: in the log, and not in the response. */

import { describe, expect, it } from 'vitest'
import { lettersPath, RejectingWorld } from '../../test/support/rejecting-world.ts'

describe('a token is rejected', () => {
  const refresh = (world: RejectingWorld, token?: string) =>
    world.rejected('collections/members/auth-refresh', { body: {}, ...(token && { token }) })

  it('that is absent, garbage, of another kind, or a key', async () => {
    const world = new RejectingWorld()
    expect(await refresh(world)).toEqual([401, ['The request has no Authorization header.']])
    expect(await refresh(world, 'Bearer nonsense')).toEqual([
      401,
      ['The caller is a guest, since the Authorization header holds no token of this server.'],
    ])
    expect(await refresh(world, await world.token('verification'))).toEqual([
      401,
      ['The caller is a guest, since the token is for a verification, not for a session.'],
    ])
    const [key] = world.reference.apiKeys.initial
    expect(await refresh(world, key?.key)).toEqual([403, ['The caller is an API key, which has no session.']])
  })

  it('that has expired', async () => {
    const world = new RejectingWorld()
    world.reference.clock.freeze('2026-01-31T12:00:00Z')
    expect(await refresh(world, await world.token('auth', -60))).toEqual([
      401,
      [
        'The caller is a guest, since the token expired at 2026-01-31T11:59:00.000Z, and the clock of the server says 2026-01-31T12:00:00.000Z.',
      ],
    ])
  })

  it('that a new password has ended', async () => {
    const world = new RejectingWorld()
    const token = await world.token()
    await world.reference.records.update('members', 'member000000001', { password: 'another1234' })
    expect(await refresh(world, token)).toEqual([
      401,
      [
        'The caller is a guest, since the token was ended: members/member000000001 has another password, email or token key since.',
      ],
    ])
  })

  it('of another server, of a deleted record, or of another table', async () => {
    const foreign = await new RejectingWorld({ seed: 2 }).token()
    expect((await refresh(new RejectingWorld(), foreign))[1]?.[0]).toContain('another server issued it')
    const world = new RejectingWorld()
    const token = await world.token()
    expect(await world.rejected('collections/staff/auth-refresh', { body: {}, token })).toEqual([
      403,
      ['The caller is members/member000000001, and the path names "staff".'],
    ])
    await world.reference.records.delete('members', 'member000000001')
    expect(await refresh(world, token)).toEqual([
      401,
      ['The caller is a guest, since the account of the token, members/member000000001, does not exist.'],
    ])
  })

  it.each([
    [
      'with something appended',
      (token: string) => `${token}X`,
      'the signature of the token has 44 characters instead of 43: the token was cut off, or something was added',
    ],
    [
      'with an incomplete signature',
      (token: string) => token.slice(0, -5),
      'the signature of the token has 38 characters instead of 43: the token was cut off, or something was added',
    ],
    [
      'without its signature',
      (token: string) => token.slice(0, token.lastIndexOf('.')),
      'the token has 2 of 3 parts: it was cut off',
    ],
    [
      'with an empty signature',
      (token: string) => token.slice(0, token.lastIndexOf('.') + 1),
      'the token has 2 of 3 parts: it was cut off',
    ],
    ['cut off early', (token: string) => token.slice(0, 12), 'the token has 1 of 3 parts: it was cut off'],
    ['with a fourth part', (token: string) => `${token}.x`, 'the token has 4 parts instead of 3'],
    ['in quotes', (token: string) => JSON.stringify(token), 'the token is in quotes: send it without them'],
    [
      'in quotes, after a scheme',
      (token: string) => `Bearer '${token}'`,
      'the token is in quotes: send it without them',
    ],
    [
      'after a scheme that is sent twice',
      (token: string) => `Bearer Bearer ${token}`,
      'the token follows another word: send it alone, or after "Bearer "',
    ],
    [
      'after another scheme',
      (token: string) => `Token ${token}`,
      'the token follows another word: send it alone, or after "Bearer "',
    ],
  ])('that is damaged: %s', async (_, damaged, fault) => {
    const world = new RejectingWorld()
    const token = damaged(await world.token())
    expect(await refresh(world, token)).toEqual([401, [`The caller is a guest, since ${fault}.`]])
  })

  it('that was changed', async () => {
    const world = new RejectingWorld()
    const token = (await world.token()).replace(/.{5}$/, 'AAAAA')
    expect(await refresh(world, token)).toEqual([
      401,
      [
        'The caller is a guest, since the signature of the token is wrong: the token was changed or cut off, members/member000000001 has another password, email or token key since, or another server issued it.',
      ],
    ])
  })

  it('of a superuser from another address', async () => {
    const world = new RejectingWorld({ superuserIPs: ['10.0.0.0/8', '::1'] })
    const token = await world.reference.tokenFor('_superusers', 'root00000000001')
    const [status, reason] = await world.rejected(lettersPath, { token, ip: '127.0.0.1' })
    expect([status, reason?.[0]]).toEqual([
      403,
      expect.stringMatching(
        /^The address of the client, 127\.0\.0\.1, is not in superuserIPs: superusers may use (?=.*10\.0\.0\.0\/8).*::1/,
      ),
    ])
  })

  it('that may not impersonate', async () => {
    const world = new RejectingWorld()
    const path = 'collections/members/impersonate/member000000001'
    expect(await world.rejected(path, { body: {} })).toEqual([
      401,
      ['The request has no Authorization header.'],
    ])
    expect(await world.rejected(path, { body: {}, token: await world.token() })).toEqual([
      403,
      ['Only superusers impersonate. The caller is members/member000000001.'],
    ])
    const token = await world.reference.tokenFor('_superusers', 'root00000000001')
    expect(await world.rejected('collections/members/impersonate/absent', { body: {}, token })).toEqual([
      404,
      ['Table "members" has no record "absent".'],
    ])
  })
})
