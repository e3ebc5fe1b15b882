import { beforeAll, describe, expect, test } from 'vitest'
import { type AuthWorld, codes, makeAuthWorld, password } from '../../test/support/auth-world.ts'

let world: AuthWorld
let annId: string
beforeAll(async () => {
  world = await makeAuthWorld()
  annId = (await world.join('members', 'ann@example.com', { username: 'ann', note: 'n' })).id
  for (const table of ['gated', 'sealed', 'codeonly']) await world.join(table, `x@${table}.com`)
})

describe('auth-methods', () => {
  test('shows what is on, and nothing of what is off', async () => {
    const { body } = await world.call('GET /collections/members/auth-methods')
    expect(body).toEqual({
      password: { identityFields: ['username', 'email'], enabled: true },
      oauth2: { providers: [], enabled: false },
      mfa: { enabled: false, duration: 0 },
      otp: { enabled: true, duration: 180 },
      authProviders: null,
      usernamePassword: true,
      emailPassword: true,
    })
    const off = await world.call('GET /collections/codeonly/auth-methods?fields=password')
    expect(off.body).toEqual({ password: { identityFields: [], enabled: false } })
  })

  test('rejects a table that is not an auth table', async () => {
    expect((await world.call('GET /collections/things/auth-methods')).body.message).toMatch(/auth collection/)
    expect((await world.call('GET /collections/nope/auth-methods')).status).toBe(404)
    expect((await world.call('GET /collections/_apiKeys/auth-methods')).status).toBe(404)
  })
})

describe('auth-with-password', () => {
  test.each([
    ['user name', { identity: 'ann' }, 200],
    ['user name in capitals: its index is NOCASE', { identity: 'ANN' }, 200],
    ['e-mail', { identity: 'ann@example.com' }, 200],
    ['e-mail in capitals: its index is not', { identity: 'ANN@example.com' }, 400],
    ['named field', { identity: 'ann', identityField: 'username' }, 200],
    ['another named field', { identity: 'ann', identityField: 'email' }, 400],
    ['unknown', { identity: 'nobody' }, 400],
    ['wrong password', { identity: 'ann', password: 'password2' }, 400],
  ])('%s', async (_, body, status) => {
    expect((await world.act('members', 'auth-with-password', { password, ...body })).status).toBe(status)
  })

  test('finds a record by a number if the identity field holds numbers', async () => {
    const number = await makeAuthWorld({
      tables: [
        {
          name: 'staff',
          type: 'auth',
          fields: [{ name: 'badge', type: 'number' }],
          indexes: ['CREATE UNIQUE INDEX idx_badge ON staff (badge) WHERE badge != 0'],
          passwordAuth: { enabled: true, identityFields: ['badge'] },
        },
      ],
    })
    await number.join('staff', 'a@example.com', { badge: 77 })
    for (const [identity, status] of [
      ['77', 200],
      ['77.0', 200],
      ['78', 400],
      ['0', 400],
      ['seventy', 400],
    ] as const)
      expect((await number.act('staff', 'auth-with-password', { identity, password })).status).toBe(status)
  })

  test('takes the first of a key that a form repeats', async () => {
    const form = 'identity=ann&identity=nobody&password=password1'
    const { status } = await world.call('POST /collections/members/auth-with-password', form, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(status).toBe(200)
  })

  test('returns the same response for an unknown identity and a wrong password, byte for byte', async () => {
    const unknown = await world.act('members', 'auth-with-password', { identity: 'nobody', password })
    const wrong = await world.act('members', 'auth-with-password', { identity: 'ann', password: 'nothing' })
    expect(unknown.text).toBe(wrong.text)
  })

  test.each([
    [{}, { identity: 'validation_required', password: 'validation_required' }],
    [{ identity: 'x'.repeat(256), password }, { identity: 'validation_length_out_of_range' }],
    [{ identity: 'é'.repeat(128), password }, { identity: 'validation_length_out_of_range' }],
    [{ identity: 'ann', password, identityField: 'id' }, { identityField: 'validation_in_invalid' }],
    [
      { identity: 'ann', password, identityField: 'x'.repeat(256) },
      { identityField: 'validation_length_out_of_range' },
    ],
    [{ identity: 1, password }, {}],
    ['{"identity', {}],
    ['[]', {}],
  ])('rejects %j', async (body, expected) => {
    const called = await world.act('members', 'auth-with-password', body)
    expect([called.status, codes(called)]).toEqual([400, expected])
  })

  test('takes a form', async () => {
    const form = new FormData()
    form.set('identity', 'ann')
    form.set('password', password)
    expect((await world.act('members', 'auth-with-password', form)).status).toBe(200)
  })

  test('returns the record with its email and without its secrets', async () => {
    const { body, text } = await world.act('members', 'auth-with-password', { identity: 'ann', password })
    expect(Object.keys(body).sort()).toEqual(['record', 'token'])
    expect(body.record).toMatchObject({ id: annId, email: 'ann@example.com', verified: false })
    expect(text).not.toMatch(/tokenKey|"password"|"note"|scrypt/)
  })

  test.each([
    ['gated', 403],
    ['sealed', 403],
    ['codeonly', 403],
    ['things', 404],
  ])('%s answers %d', async (table, status) => {
    const body = { identity: `x@${table}.com`, password }
    expect((await world.act(table, 'auth-with-password', body)).status).toBe(status)
  })

  test('lets a superuser bypass authRule, and no one the password', async () => {
    const body = { identity: 'x@sealed.com', password }
    expect((await world.act('sealed', 'auth-with-password', body, world.superuser)).status).toBe(200)
    const wrong = { ...body, password: 'password2' }
    expect((await world.act('sealed', 'auth-with-password', wrong, world.superuser)).status).toBe(400)
  })
})

describe('auth-refresh and impersonate', () => {
  test('refresh gives a token that lives longer, and leaves the old one alone', async () => {
    const old = await world.signIn('members', 'ann')
    world.reference.clock.advance(400_000_000)
    const { body } = await world.act('members', 'auth-refresh', undefined, old)
    world.reference.clock.advance(31_999_000)
    expect(await world.alive('members', old)).toBe(true)
    world.reference.clock.advance(1000)
    expect(await world.alive('members', old)).toBe(false)
    expect(await world.alive('members', body.token)).toBe(true)
  })

  test.each([
    ['guest', 401, 401],
    ['member', 200, 403],
    ['other', 403, 403],
    ['key', 403, 403],
  ])('%s: refresh %d, impersonate %d', async (who, refresh, impersonate) => {
    await world.join('others', `${who}@others.com`)
    const { key } = await world.reference.apiKeys.create({ tables: ['*'], actions: ['view'] })
    const member = await world.signIn('members', 'ann')
    const other = await world.signIn('others', `${who}@others.com`)
    const token = { guest: undefined, member, other, key }[who]
    expect((await world.act('members', 'auth-refresh', undefined, token)).status).toBe(refresh)
    expect((await world.act('members', `impersonate/${annId}`, {}, token)).status).toBe(impersonate)
    expect((await world.act('nope', 'auth-refresh', undefined, token)).status).toBe(404)
  })

  test('a superuser can impersonate any record for any time; such a token cannot be refreshed', async () => {
    const superuser = await world.signIn('_superusers', 'root@example.com', 'rootpass123')
    const { body } = await world.act('members', `impersonate/${annId}`, { duration: 10 }, superuser)
    expect(body.record.email).toBe('ann@example.com')
    expect((await world.act('members', 'auth-refresh', undefined, body.token)).body.token).toBe(body.token)
    world.reference.clock.advance(10_000)
    expect(await world.alive('members', body.token)).toBe(false)
    const statuses: number[] = []
    for (const [path, duration] of [
      [`members/impersonate/${annId}`, -1],
      [`members/impersonate/${annId}`, 'x'],
      [`members/impersonate/${annId}`, 1.5],
      ['members/impersonate/nobody', 1],
      ['things/impersonate/x', 1],
      ['nope/impersonate/x', 1],
    ] as const) {
      const [table = '', ...action] = path.split('/')
      statuses.push((await world.act(table, action.join('/'), { duration }, superuser)).status)
    }
    expect(statuses).toEqual([400, 400, 400, 404, 404, 404])
  })
})
