import { beforeEach, describe, expect, test } from 'vitest'
import { type AuthWorld, makeAuthWorld, password } from '../../test/support/auth-world.ts'

let world: AuthWorld
beforeEach(async () => {
  world = await makeAuthWorld()
  await world.join('double', 'ann@example.com', { verified: true })
  await world.join('double', 'bob@example.com', { verified: true })
})

const byPassword = (more: object = {}, query = '') =>
  world.act('double', `auth-with-password${query}`, { identity: 'ann@example.com', password, ...more })

async function byCode(more: object = {}, query = '') {
  const email = 'ann@example.com'
  const { body } = await world.act('double', 'request-otp', { email })
  const { code } = await world.reference.mail.waitFor({ to: email, kind: 'otp', timeout: 10_000 })
  return world.act('double', `auth-with-otp${query}`, { otpId: body.otpId, password: code, ...more })
}

describe('sign-in in two steps', () => {
  test.each(['body', 'query'])('password, then code, with the mfaId in the %s', async (place) => {
    const first = await byPassword()
    expect([first.status, Object.keys(first.body)]).toEqual([401, ['mfaId']])
    const { mfaId } = first.body
    const second =
      place === 'body' ? await byCode({ mfaId }) : await byCode({ mfaId: 'x' }, `?mfaId=${mfaId}`)
    expect([second.status, typeof second.body.token]).toEqual([200, 'string'])
    expect((await byCode({ mfaId })).body.message).toBe('Invalid or expired MFA session.')
  })

  test('code, then password', async () => {
    const { mfaId } = (await byCode()).body
    expect((await byPassword({ mfaId })).status).toBe(200)
  })

  test.each([
    ['the same method', (mfaId: string) => byPassword({ mfaId }), /different authentication/],
    ['an unknown one', () => byCode({ mfaId: 'nope' }), /Invalid or expired MFA/],
    ['no text', () => byCode({ mfaId: 5 }), /Failed to read/],
  ])('rejects %s, and leaves the right one usable', async (_, attempt, message) => {
    const { mfaId } = (await byPassword()).body
    const rejected = await attempt(mfaId)
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringMatching(message)])
    expect((await byCode({ mfaId })).status).toBe(200)
  })

  test('rejects the mfaId of another record', async () => {
    const { mfaId } = (await byPassword({ identity: 'bob@example.com' })).body
    expect((await byCode({ mfaId })).body.message).toBe('Invalid MFA session.')
  })

  test('a wrong second factor costs nothing, a wrong first one gives nothing', async () => {
    const { mfaId } = (await byPassword()).body
    expect((await byCode({ mfaId, password: 'no' })).status).toBe(400)
    expect((await byPassword({ password: 'no' })).status).toBe(400)
    expect((await byCode({ mfaId })).status).toBe(200)
  })

  test('is over after its time, and after a change of the password', async () => {
    const late = (await byPassword()).body.mfaId
    world.reference.clock.advance(600_001)
    expect((await byCode({ mfaId: late })).status).toBe(400)

    const { mfaId } = (await byPassword()).body
    const { body } = await world.call('GET /collections/double/records', undefined, world.superuser)
    const ann = body.items.find((one: { email: string }) => one.email === 'ann@example.com')
    const change = { password: 'password2', passwordConfirm: 'password2' }
    await world.call(`PATCH /collections/double/records/${ann.id}`, change, world.superuser)
    expect((await byCode({ mfaId })).status).toBe(400)
  })

  test('is required of superusers too, but not for impersonation or a refresh', async () => {
    const body = { identity: 'ann@example.com', password }
    expect((await world.act('double', 'auth-with-password', body, world.superuser)).status).toBe(401)
    const { mfaId } = (await byPassword()).body
    const { token, record } = (await byCode({ mfaId })).body
    expect((await world.act('double', 'auth-refresh', undefined, token)).status).toBe(200)
    expect((await world.act('double', `impersonate/${record.id}`, {}, world.superuser)).status).toBe(200)
  })

  test('is required only of records that its rule names', async () => {
    await world.join('partly', 'new@example.com')
    await world.join('partly', 'old@example.com', { verified: true })
    const enter = (identity: string, token?: string) =>
      world.act('partly', 'auth-with-password', { identity, password }, token)
    expect((await enter('new@example.com')).status).toBe(200)
    expect((await enter('new@example.com', world.superuser)).status).toBe(200)
    expect((await enter('old@example.com')).status).toBe(401)
  })

  test('shows its rows to their owner only', async () => {
    const { mfaId } = (await byPassword()).body
    const { token } = (await byCode({ mfaId })).body
    await byPassword()
    await byPassword({ identity: 'bob@example.com' })
    const { body } = await world.call('GET /collections/_mfas/records', undefined, token)
    expect(body.items).toMatchObject([{ method: 'password' }])
    expect((await world.call('GET /collections/_mfas/records')).body.totalItems).toBe(0)
  })
})
