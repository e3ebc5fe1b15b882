import { beforeEach, describe, expect, test } from 'vitest'
import { type AuthWorld, codes, makeAuthWorld, password } from '../../test/support/auth-world.ts'
import { servicesOf } from '../services-of.ts'
import type { EmailKind } from './mail/template.ts'

const email = 'ann@example.com'
let world: AuthWorld
let annId: string
beforeEach(async () => {
  world = await makeAuthWorld()
  annId = (await world.join('members', email)).id
})

async function link(kind: EmailKind, to = email): Promise<string> {
  const { token = '' } = await world.reference.mail.waitFor({ kind, to, timeout: 10_000 })
  return token
}

async function context(kind: 'verification' | 'password-reset', to = email): Promise<string> {
  expect((await world.act('members', `request-${kind}`, { email: to })).status).toBe(204)
  return link(kind, to)
}

async function verified(): Promise<boolean> {
  const { body } = await world.call(`GET /collections/members/records/${annId}`, undefined, world.superuser)
  return body.verified
}

const patch = (body: object) =>
  world.call(`PATCH /collections/members/records/${annId}`, body, world.superuser)

async function sent(): Promise<number> {
  await servicesOf(world.reference).background.idle()
  return world.reference.mail.outbox.length
}

describe.each(['verification', 'password-reset'] as const)('request-%s', (kind) => {
  test('emails a link to the owner of the address', async () => {
    await context(kind)
    const [mail] = world.reference.mail.outbox
    expect(mail).toMatchObject({ kind, to: email })
    expect(mail?.link).toBe(`http://localhost:8090/_/#/auth/confirm-${kind}/${mail?.token}`)
    expect(mail?.text).toContain(`](${mail?.link})`)
  })

  test('sends nothing to an unknown address, nor again within two minutes', async () => {
    const stranger = await world.act('members', `request-${kind}`, { email: 'nobody@example.com' })
    expect([stranger.status, stranger.text, await sent()]).toEqual([204, '', 0])
    await context(kind)
    await world.act('members', `request-${kind}`, { email })
    world.reference.clock.advance(119_999)
    await world.act('members', `request-${kind}`, { email })
    expect(await sent()).toBe(1)
    world.reference.clock.advance(1)
    await context(kind)
    expect(await sent()).toBe(2)
  })

  test.each([
    [{}, 'validation_required'],
    [{ email: 'x' }, 'validation_is_email'],
  ])('rejects %j', async (body, code) => {
    expect(codes(await world.act('members', `request-${kind}`, body))).toEqual({ email: code })
  })

  test('rejects links that have expired, were tampered with, or are for another table or purpose', async () => {
    const token = await context(kind)
    const session = await world.signIn('members', email)
    const passwords = { password: 'password2', passwordConfirm: 'password2' }
    const confirm = async (table: string, text: string) =>
      codes(await world.act(table, `confirm-${kind}`, { token: text, ...passwords })).token
    expect(await confirm('members', '')).toBe('validation_required')
    expect(await confirm('members', `${token.slice(0, -4)}AAAA`)).toBe('validation_invalid_token')
    expect(await confirm('others', token)).toBe('validation_token_collection_mismatch')
    expect(await confirm('members', session)).toMatch(/^validation_invalid_token/)
    expect(await world.alive('members', token)).toBe(false)
    world.reference.clock.advance(86_400_000)
    expect(await confirm('members', token)).toBe('validation_invalid_token')
  })
})

describe('confirm-verification', () => {
  const confirm = (token: string) => world.act('members', 'confirm-verification', { token })

  test('verifies, and leaves sessions alone', async () => {
    const session = await world.signIn('members', email)
    const token = await context('verification')
    expect((await confirm(token)).status).toBe(204)
    expect([await verified(), await world.alive('members', session)]).toEqual([true, true])
    await world.act('members', 'request-verification', { email })
    expect(await sent()).toBe(1)
  })

  test('is accepted again, but undoes no later change', async () => {
    const token = await context('verification')
    await confirm(token)
    await patch({ verified: false })
    expect([(await confirm(token)).status, await verified()]).toEqual([204, false])
    await context('verification').then(confirm)
    expect(await verified()).toBe(true)
  })

  test('ends with a change of address or password', async () => {
    const token = await context('verification')
    await patch({ email: 'new@example.com' })
    expect(codes(await confirm(token))).toEqual({ token: 'validation_invalid_token' })
  })

  test('superusers need none', async () => {
    for (const action of ['request-verification', 'confirm-verification'])
      expect((await world.act('_superusers', action, {})).body.message).toMatch(/verified by default/)
  })
})

describe('confirm-password-reset', () => {
  const confirm = (body: object) => world.act('members', 'confirm-password-reset', body)

  test('sets the password once, ends every session and verifies the address', async () => {
    const session = await world.signIn('members', email)
    const body = {
      token: await context('password-reset'),
      password: 'password2',
      passwordConfirm: 'password2',
    }
    expect((await confirm(body)).status).toBe(204)
    expect([await world.alive('members', session), await verified()]).toEqual([false, true])
    await world.signIn('members', email, 'password2')
    expect(codes(await confirm(body))).toEqual({ token: 'validation_invalid_token' })
    await context('password-reset')
  })

  test('sets it once when the link is used twice at the same time', async () => {
    const token = await context('password-reset')
    const one = { token, password: 'password2', passwordConfirm: 'password2' }
    const other = { token, password: 'password3', passwordConfirm: 'password3' }
    const both = await Promise.all([confirm(one), confirm(other)])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 400])
  })

  test.each([
    ['x', 'y', { password: 'validation_length_out_of_range', passwordConfirm: 'validation_values_mismatch' }],
    ['', '', { password: 'validation_required', passwordConfirm: 'validation_required' }],
    ['x'.repeat(72), 'x'.repeat(72), { password: 'validation_max_text_constraint' }],
    ['x'.repeat(256), 'x'.repeat(256), { password: 'validation_length_out_of_range' }],
  ])('rejects %j and %j', async (text, passwordConfirm, expected) => {
    const token = await context('password-reset')
    expect(codes(await confirm({ token, password: text, passwordConfirm }))).toEqual(expected)
  })

  test('names every mistake at once', async () => {
    expect(Object.keys(codes(await confirm({}))).sort()).toEqual(['password', 'passwordConfirm', 'token'])
  })

  test('is rejected if password sign-in is disabled', async () => {
    const rejected = await world.act('codeonly', 'request-password-reset', {})
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringMatching(/password auth/)])
  })
})

describe('email change', () => {
  const newEmail = 'ann@example.net'
  const confirm = (body: object) => world.act('members', 'confirm-email-change', body)
  let session: string
  beforeEach(async () => {
    session = await world.signIn('members', email)
  })

  async function begin(to = newEmail) {
    expect((await world.act('members', 'request-email-change', { newEmail: to }, session)).status).toBe(204)
    return link('email-change', to)
  }

  test('moves the record to the new address, which is then verified; sessions end', async () => {
    const token = await begin()
    expect((await confirm({ token, password })).status).toBe(204)
    expect([await verified(), await world.alive('members', session)]).toEqual([true, false])
    await world.signIn('members', newEmail)
    expect(codes(await confirm({ token, password })).token).toBe('validation_invalid_token')
  })

  test('does not reveal that an address is taken, and sends no email to it', async () => {
    await world.join('members', newEmail)
    const taken = await world.act('members', 'request-email-change', { newEmail }, session)
    expect([taken.status, await sent()]).toEqual([204, 0])
  })

  test.each([
    [{}, 'validation_required'],
    [{ newEmail: 'x' }, 'validation_is_email'],
    [{ newEmail: email }, 'validation_not_in_invalid'],
  ])('rejects %j', async (body, code) => {
    const called = await world.act('members', 'request-email-change', body, session)
    expect(codes(called)).toEqual({ newEmail: code })
  })

  test('requires the password, and a link that is still valid', async () => {
    const token = await begin()
    const wrong = 'validation_invalid_password'
    expect(codes(await confirm({}))).toEqual({
      token: 'validation_required',
      password: 'validation_required',
    })
    expect(codes(await confirm({ token, password: 'no' }))).toEqual({ password: wrong })
    expect(codes(await confirm({ token, password: 'x'.repeat(101) }))).toEqual({
      password: 'validation_length_out_of_range',
    })
    expect(codes(await confirm({ token: 'x', password }))).toEqual({
      token: 'validation_invalid_token_payload',
      password: wrong,
    })
    await world.join('members', newEmail)
    expect(codes(await confirm({ token, password })).token).toBe('validation_invalid_token_email')
  })

  test('is for records of the table only', async () => {
    await world.join('others', email)
    const other = await world.signIn('others', email)
    const { key } = await world.reference.apiKeys.create({ tables: ['*'], actions: ['update'] })
    const statuses = []
    for (const token of [undefined, 'x', other, world.superuser, key])
      statuses.push((await world.act('members', 'request-email-change', { newEmail }, token)).status)
    expect(statuses).toEqual([401, 401, 403, 403, 403])
    const superuser = await world.act('_superusers', 'request-email-change', {}, world.superuser)
    expect(superuser.status).toBe(400)
    const confirmed = await world.act('_superusers', 'confirm-email-change', { token: 'x', password })
    expect([confirmed.status, confirmed.body.data]).toEqual([400, {}])
  })

  test('does not reveal by a failed email whether the address is free', async () => {
    const failures: unknown[] = []
    const dead = await makeAuthWorld({
      mail: { smtp: { host: '127.0.0.1', port: 1 } },
      log: (error) => failures.push(error),
    })
    await dead.join('members', email)
    await dead.join('members', 'taken@example.com')
    const token = await dead.signIn('members', email)
    for (const to of [newEmail, 'taken@example.com'])
      expect((await dead.act('members', 'request-email-change', { newEmail: to }, token)).status).toBe(204)
    await servicesOf(dead.reference).background.idle()
    expect(failures).toHaveLength(1)
    await dead.reference.close()
  })
})
