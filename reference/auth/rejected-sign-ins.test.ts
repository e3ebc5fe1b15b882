/** Why a sign-in is rejected: in the log, and not in the response. */

import { describe, expect, it } from 'vitest'
import { RejectingWorld } from '../../test/support/rejecting-world.ts'

describe('a sign-in is rejected', () => {
  it('to a table of another type, and with a method that is switched off', async () => {
    const body = { identity: 'x', password: 'wrong-pass' }
    expect(await new RejectingWorld().rejected('collections/letters/auth-with-password', { body })).toEqual([
      404,
      [
        '"letters" is not a table of type auth, so no one signs in to it. Auth tables: closed, members, staff.',
      ],
    ])
    for (const [path, method, status] of [
      ['auth-with-password', 'passwordAuth', 403],
      ['request-password-reset', 'passwordAuth', 400],
      ['request-otp', 'otp', 403],
      ['auth-with-otp', 'otp', 403],
      ['auth-with-oauth2', 'oauth2', 403],
    ] as const)
      expect(
        await new RejectingWorld({ oauth2: {} }).rejected(`collections/closed/${path}`, { body }),
      ).toEqual([status, [`${method}.enabled of "closed" is false.`]])
  })

  it('with the identity under another key', async () => {
    const sent = (body: object) =>
      new RejectingWorld().rejected('collections/members/auth-with-password', { body })
    const note = '"email" is not a key here: send "identity".'
    expect(await sent({ email: 'ann@example.com', password: 'wrong-pass' })).toEqual([400, [note]])
    expect(await sent({ password: 'wrong-pass' })).toEqual([400, undefined])
  })

  it('by a code that is unknown, wrong, of another table, expired, used or never sent', async () => {
    const world = new RejectingWorld()
    world.reference.clock.freeze('2026-01-31T12:00:00Z')
    const open = async (table: string, email: string) => {
      const response = await world.send(`collections/${table}/request-otp`, { body: { email } })
      const { otpId } = (await response.json()) as { otpId: string }
      return otpId
    }
    const sign = async (otpId: string, password = '00000000', table = 'members') => {
      const [status, reason] = await world.rejected(`collections/${table}/auth-with-otp`, {
        body: { otpId, password },
      })
      expect((reason ?? []).join()).not.toContain(otpId)
      return [status, ...(reason ?? [])]
    }
    const unknown = 'There is no code with this otpId: it was used, has expired, or was never requested.'
    expect(await sign('absent')).toEqual([400, unknown])
    const otpId = await open('members', 'ann@example.com')
    const { code = '' } = await world.reference.mail.waitFor({ kind: 'otp' })
    expect(await sign(otpId)).toEqual([
      400,
      'The code is not the one that was emailed to members/member000000001.',
    ])
    expect(await sign(otpId, code, 'staff')).toEqual([
      400,
      'The code is for "members", and the path names "staff".',
    ])
    expect(await sign(await open('members', 'nobody@example.com'))).toEqual([
      400,
      'No record of "members" has the address that this code was requested for, so no code was emailed.',
    ])
    expect(await sign(otpId, code)).toEqual([200])
    expect(await sign(otpId, code)).toEqual([400, unknown])
    const late = await open('members', 'ann@example.com')
    world.reference.clock.advance('4m')
    expect(await sign(late)).toEqual([
      400,
      'The code expired at 2026-01-31T12:03:00.000Z, after 180 s (otp.duration), and the clock of the server says 2026-01-31T12:04:00.000Z.',
    ])
  })

  it('after too many codes', async () => {
    const world = new RejectingWorld({ throttle: { otpAttempts: 1 } })
    const response = await world.send('collections/members/request-otp', {
      body: { email: 'ann@example.com' },
    })
    const { otpId } = (await response.json()) as { otpId: string }
    const sign = () =>
      world.rejected('collections/members/auth-with-otp', { body: { otpId, password: '00000000' } })
    await sign()
    const [status, reason] = await sign()
    expect([status, reason?.[0]]).toEqual([
      429,
      expect.stringContaining('One record allows 1 attempt with codes in 180 s'),
    ])
  })

  it('before its second factor, which must match', async () => {
    const world = new RejectingWorld()
    world.reference.clock.freeze('2026-01-31T12:00:00Z')
    const path = 'collections/staff/auth-with-password'
    const body = { identity: 'bob@example.com', password: 'secret1234' }
    const response = await world.send(path, { body })
    expect(response.status).toBe(401)
    expect(world.reference.requests.last()?.reason).toEqual([
      'The first factor, password, is right, and mfa.enabled of "staff" is true: sign in by another method, with the mfaId of the response.',
    ])
    const { mfaId } = (await response.json()) as { mfaId: string }
    expect(await world.rejected(path, { body: { ...body, mfaId } })).toEqual([
      400,
      ['Both factors are password: the second must be another method.'],
    ])
    expect(await world.rejected(path, { body: { ...body, mfaId: 'absent' } })).toEqual([
      400,
      ['There is no sign-in with this mfaId: it was completed, has expired, or never began.'],
    ])
    expect(await world.rejected(path, { body: { ...body, mfaId: 5 } })).toEqual([
      400,
      ['"mfaId" of the body is not a string.'],
    ])
    world.reference.clock.advance('1h')
    const [status, reason] = await world.rejected(path, { body: { ...body, mfaId } })
    expect([status, reason?.[0]]).toEqual([
      400,
      expect.stringContaining('must follow within 600 s (mfa.duration)'),
    ])
  })

  it('by a provider, and with one that the table does not have', async () => {
    const path = 'collections/members/auth-with-oauth2'
    const body = { provider: 'google', code: 'x', codeVerifier: 'y', redirectURL: 'http://app.test' }
    expect(await new RejectingWorld().rejected(path, { body: { ...body, provider: 'gogle' } })).toEqual([
      400,
      ['oauth2.providers of "members": google. The body needs one of them as "provider", and a "code".'],
    ])
    const world = new RejectingWorld()
    world.reference.oauth2.next({ reject: 'token' })
    expect(await world.rejected(path, { body })).toEqual([
      400,
      ['The test makes the provider reject this sign-in.'],
    ])
    world.reference.oauth2.next({ sub: '1', email: 'new@example.com', emailVerified: true })
    expect(await world.rejected(path, { body })).toEqual([
      403,
      ['createRule of "members" is null: only superusers pass. The caller is a guest.'],
    ])
  })
})
