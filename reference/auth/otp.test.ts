import { beforeEach, describe, expect, test } from 'vitest'
import { type AuthWorld, codes, makeAuthWorld, password } from '../../test/support/auth-world.ts'
import { servicesOf } from '../services-of.ts'

let world: AuthWorld
let clean: ReturnType<AuthWorld['reference']['snapshot']> | undefined
let made: AuthWorld | undefined
beforeEach(async () => {
  made ??= await makeAuthWorld()
  world = made
  clean ??= world.reference.snapshot()
  world.reference.restore(clean)
  await world.join('members', 'ann@example.com')
})

async function open(table = 'members', email = 'ann@example.com') {
  const { body } = await world.act(table, 'request-otp', { email })
  const { code = '' } = await world.reference.mail.waitFor({ to: email, kind: 'otp', timeout: 10_000 })
  return { otpId: body.otpId as string, password: code }
}

const enter = (body: object, table = 'members') => world.act(table, 'auth-with-otp', body)

describe('request-otp', () => {
  test('emails a code of the table to the owner of the address', async () => {
    const { password: code } = await open()
    expect(code).toMatch(/^\d{6}$/)
    const [mail] = world.reference.mail.outbox
    expect(mail).toMatchObject({ kind: 'otp', to: 'ann@example.com', subject: 'OTP for Acme' })
    expect(mail?.text).toContain(`one-time password is: ${code}`)
  })

  test('returns the same response for an unknown address, without an email', async () => {
    const { status, body } = await world.act('members', 'request-otp', { email: 'nobody@example.com' })
    expect([status, Object.keys(body)]).toEqual([200, ['otpId']])
    expect(body.otpId).toMatch(/^[a-z0-9]{15}$/)
    await servicesOf(world.reference).background.idle()
    expect(world.reference.mail.outbox).toHaveLength(0)
  })

  test.each([
    [{}, 'validation_required'],
    [{ email: 'x' }, 'validation_is_email'],
  ])('rejects %j', async (body, code) => {
    expect(codes(await world.act('members', 'request-otp', body))).toEqual({ email: code })
  })

  test('opens ten at most, until one of them is over', async () => {
    const opened: { otpId: string }[] = []
    for (let count = 0; count < 10; count++) opened.push(await open())
    const { body } = await world.act('members', 'request-otp', { email: 'ann@example.com' })
    expect(body.otpId).toBe(opened.at(-1)?.otpId)
    world.reference.clock.advance(181_000)
    expect(opened.map(({ otpId }) => otpId)).not.toContain((await open()).otpId)
  })

  test('counts the codes of an unknown address like the codes of a record, in any equivalent spelling', async () => {
    const nocase = await makeAuthWorld({
      tables: [
        {
          name: 'loose',
          type: 'auth',
          otp: { enabled: true },
          indexes: ["CREATE UNIQUE INDEX idx_loose ON loose (email COLLATE NOCASE) WHERE email != ''"],
        },
      ],
    })
    await nocase.join('loose', 'ann@example.com')
    for (const name of ['ann', 'nobody']) {
      const ids: string[] = []
      for (let count = 0; count < 11; count++) {
        const email = `${count % 2 === 0 ? name : name.toUpperCase()}@example.com`
        ids.push((await nocase.act('loose', 'request-otp', { email })).body.otpId)
      }
      expect([name, new Set(ids).size]).toEqual([name, 10])
    }
  })

  test('is off if the table disables it', async () => {
    expect((await world.act('others', 'request-otp', {})).status).toBe(403)
    expect((await world.act('others', 'auth-with-otp', {})).status).toBe(403)
  })
})

describe('auth-with-otp', () => {
  test('takes a code once', async () => {
    const otp = await open()
    const { status, body } = await enter(otp)
    expect([status, Object.keys(body).sort()]).toEqual([200, ['record', 'token']])
    expect((await enter(otp)).body.message).toBe('Invalid or expired OTP.')
  })

  test('takes a code once when it comes twice at the same time', async () => {
    const otp = await open()
    const both = await Promise.all([enter(otp), enter(otp)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('rejects a code that has expired, is for another table, or is wrong', async () => {
    await world.join('gated', 'ann@example.com')
    const otp = await open()
    expect((await enter(otp, 'gated')).status).toBe(400)
    expect((await enter({ ...otp, password: '1' })).status).toBe(400)
    world.reference.clock.advance(180_001)
    expect((await enter(otp)).status).toBe(400)
  })

  test.each([
    [{}, { otpId: 'validation_required', password: 'validation_required' }],
    [{ otpId: 'x', password: 'x'.repeat(72) }, { password: 'validation_length_out_of_range' }],
  ])('rejects %j', async (body, expected) => {
    expect(codes(await enter(body))).toEqual(expected)
  })

  test('allows five attempts in three minutes, right ones included', async () => {
    const otp = await open()
    for (let count = 0; count < 5; count++) expect((await enter({ ...otp, password: 'no' })).status).toBe(400)
    expect((await enter(otp)).status).toBe(429)
    world.reference.clock.advance(179_999)
    expect((await enter(otp)).status).toBe(429)
    world.reference.clock.advance(1)
    expect((await enter(otp)).status).toBe(200)
  })

  test('verifies the address; an earlier password no longer signs in', async () => {
    const before = await world.signIn('members', 'ann@example.com')
    const { body } = await enter(await open())
    expect(body.record.verified).toBe(true)
    expect(await world.alive('members', body.token)).toBe(true)
    expect(await world.alive('members', before)).toBe(false)
    const again = await world.act('members', 'auth-with-password', { identity: 'ann@example.com', password })
    expect(again.status).toBe(400)
  })

  test('leaves a verified record as it is', async () => {
    await world.join('members', 'bob@example.com', { verified: true })
    const before = await world.signIn('members', 'bob@example.com')
    expect((await enter(await open('members', 'bob@example.com'))).status).toBe(200)
    expect(await world.alive('members', before)).toBe(true)
  })

  test('satisfies an authRule about being verified, and is consumed if authRule rejects it', async () => {
    await world.join('gated', 'ann@example.com')
    expect((await enter(await open('gated'), 'gated')).status).toBe(200)
  })
})

test('an email that cannot be delivered removes its code', async () => {
  const failures: unknown[] = []
  const dead = await makeAuthWorld({
    mail: { smtp: { host: '127.0.0.1', port: 1 } },
    log: (error) => failures.push(error),
  })
  await dead.join('members', 'ann@example.com')
  expect((await dead.act('members', 'request-otp', { email: 'ann@example.com' })).status).toBe(200)
  await servicesOf(dead.reference).background.idle()
  expect(failures).toHaveLength(1)
  const { body } = await dead.call('GET /collections/_otps/records', undefined, dead.superuser)
  expect(body.totalItems).toBe(0)
  await dead.reference.close()
})
