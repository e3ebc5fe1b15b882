import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type IdentityProvider,
  type Misbehavior,
  startIdentityProvider,
} from '../../harness/services/identity-provider.ts'
import type { ProviderAccount } from '../../harness/vocabulary/target.ts'
import { downloadAvatar } from '../../reference/auth/oauth2/download-avatar.ts'
import { listedProvider } from '../../reference/auth/oauth2/listed-provider.ts'
import { isPublicAddress } from '../../reference/auth/oauth2/public-address.ts'
import { createClock, createEnvironment } from '../../reference/environment/environment.ts'
import type { OAuth2ProviderDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { type AuthWorld, authTables, codes, makeAuthWorld, password } from '../support/auth-world.ts'

const redirectURL = 'http://app.test/callback'
const ann: ProviderAccount = {
  sub: 'ann-1',
  email: 'ann@example.com',
  emailVerified: true,
  name: 'Ann',
  username: 'ann',
}
let idp: IdentityProvider
let world: AuthWorld

function tables(): TableDefinition[] {
  const shared = {
    clientId: idp.clientId,
    clientSecret: idp.clientSecret,
    authURL: idp.authURL,
    tokenURL: idp.tokenURL,
  }
  const providers: OAuth2ProviderDefinition[] = [
    { ...shared, name: 'oidc', userInfoURL: idp.userInfoURL },
    { ...shared, name: 'oidc2', userInfoURL: '', extra: { jwksURL: idp.jwksURL, issuers: [idp.issuer] } },
    { ...shared, name: 'oidc3', userInfoURL: '', pkce: false },
  ]
  const mappedFields = { id: '', name: 'title', username: 'username', avatarURL: 'avatar' }
  const oauth2 = { enabled: true, mappedFields, providers }
  const open = {
    type: 'auth' as const,
    listRule: '',
    viewRule: '',
    createRule: '',
    authAlert: { enabled: false },
  }
  const fields: TableDefinition['fields'] = [
    { name: 'title', type: 'text' },
    { name: 'username', type: 'text', pattern: '^[a-z]+$' },
    { name: 'avatar', type: 'file' },
  ]
  const unique = (name: string) => [
    `CREATE UNIQUE INDEX idx_${name} ON ${name} (username) WHERE username != ''`,
  ]
  return [
    ...authTables,
    { ...open, name: 'linked', fields, indexes: unique('linked'), oauth2 },
    { ...open, name: 'closed', createRule: null, oauth2 },
    {
      ...open,
      name: 'ruled',
      createRule: '@request.context = "oauth2" && @request.body.title = "x"',
      fields,
      indexes: unique('ruled'),
      oauth2,
    },
    { ...open, name: 'strict', authRule: 'verified = true && email != "no@example.com"', oauth2 },
    { ...open, name: 'twice', oauth2, mfa: { enabled: true, duration: 600, rule: '' } },
  ]
}

beforeAll(async () => {
  idp = await startIdentityProvider()
})
beforeEach(async () => {
  world = await makeAuthWorld({ tables: tables() })
})
afterAll(() => idp.stop())

interface Entry {
  table?: string
  provider?: string
  wrong?: Misbehavior
  token?: string
  more?: object
}

async function enter(
  account: ProviderAccount,
  { table = 'linked', provider = 'oidc', wrong, token, more }: Entry = {},
) {
  const methods = await world.call(`GET /collections/${table}/auth-methods`)
  const listed = methods.body.oauth2.providers.find((one: { name: string }) => one.name === provider)
  const { code } = await idp.authorize(listed.authURL, redirectURL, account, wrong)
  const body = { provider, code, codeVerifier: listed.codeVerifier, redirectURL, ...more }
  return world.act(table, 'auth-with-oauth2', body, token)
}

const count = async (table: string) =>
  (await world.call(`GET /collections/${table}/records`, undefined, world.superuser)).body.totalItems

describe('auth-methods', () => {
  test('lists providers with a fresh state and challenge, and an open end', async () => {
    const list = async () => (await world.call('GET /collections/linked/auth-methods')).body.oauth2.providers
    const [first, again] = [await list(), await list()]
    expect(first.map(({ name }: { name: string }) => name)).toEqual(['oidc', 'oidc2', 'oidc3'])
    expect(first[0].state).toMatch(/^\w{30}$/)
    expect(first[0].state).not.toBe(again[0].state)
    expect(first[0].authURL).toMatch(/\?client_id=.*&code_challenge_method=S256&.*&redirect_uri=$/)
    expect(first[2]).toMatchObject({ codeVerifier: '', codeChallenge: '', codeChallengeMethod: '' })
    expect(JSON.stringify(first)).not.toContain(idp.clientSecret)
  })

  test('leaves the configured address of the provider as it is written', () => {
    const authURL = 'https://id.example.com/go?z=a%20b&tenant=1'
    const listed = listedProvider(
      { name: 'oidc', clientId: 'c', authURL, pkce: false },
      createEnvironment({ clock: createClock() }),
    )
    expect(listed.authURL).toBe(
      `${authURL}&client_id=c&response_type=code&scope=openid+email+profile&state=${listed.state}&redirect_uri=`,
    )
  })
})

describe('auth-with-oauth2', () => {
  test.each(['oidc', 'oidc2', 'oidc3'])(
    'makes a record, and knows it the next time (%s)',
    async (provider) => {
      const { status, body } = await enter(ann, { provider })
      expect([status, body.meta.isNew, body.record.verified, body.record.email]).toEqual([
        200,
        true,
        true,
        ann.email,
      ])
      expect(body.record).toMatchObject({ title: 'Ann', username: 'ann' })
      expect(body.meta).toMatchObject({
        id: 'ann-1',
        name: 'Ann',
        username: 'ann',
        email: ann.email,
        avatarURL: '',
      })
      const again = (await enter({ sub: 'ann-1' }, { provider })).body
      expect([again.record.id, again.meta.isNew]).toEqual([body.record.id, false])
    },
  )

  test.each<[Misbehavior, string, RegExp]>([
    ['token-error', 'oidc', /token/],
    ['no-access-token', 'oidc', /token/],
    ['userinfo-error', 'oidc', /user/],
    ['bad-signature', 'oidc2', /user/],
    ['bad-signature', 'oidc3', /user/],
    ['other-audience', 'oidc2', /user/],
    ['expired-id-token', 'oidc2', /user/],
    ['no-id-token', 'oidc2', /user/],
  ])('rejects when the provider returns %s (%s)', async (wrong, provider, message) => {
    const rejected = await enter(ann, { wrong, provider })
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringMatching(message)])
    expect(await count('linked')).toBe(0)
  })

  test('rejects another verifier, another redirect, and a code used before', async () => {
    expect((await enter(ann, { more: { codeVerifier: 'v'.repeat(43) } })).status).toBe(400)
    expect((await enter(ann, { more: { redirectURL: 'http://app.test/other' } })).status).toBe(400)
    const { body } = await world.call('GET /collections/linked/auth-methods')
    const [listed] = body.oauth2.providers
    const { code } = await idp.authorize(listed.authURL, redirectURL, ann)
    const once = { provider: 'oidc', code, codeVerifier: listed.codeVerifier, redirectURL }
    expect((await world.act('linked', 'auth-with-oauth2', once)).status).toBe(200)
    expect((await world.act('linked', 'auth-with-oauth2', once)).status).toBe(400)
  })

  test.each([
    [{}, { provider: 'validation_required', code: 'validation_required' }],
    [{ provider: 'google', code: 'x' }, { provider: 'validation_invalid_provider' }],
    [{ provider: 'x'.repeat(101), code: 'x' }, { provider: 'validation_length_too_long' }],
    [{ provider: 'oidc', code: 'x', createData: 1 }, {}],
  ])('rejects %j', async (body, expected) => {
    const rejected = await world.act('linked', 'auth-with-oauth2', body)
    expect([rejected.status, codes(rejected)]).toEqual([400, expected])
  })

  test('is off if the table disables it', async () => {
    expect((await world.act('members', 'auth-with-oauth2', {})).status).toBe(403)
  })

  test('creates as the rules of the table say, and leaves nothing of what is rejected', async () => {
    expect((await enter(ann, { table: 'closed' })).status).toBe(403)
    expect((await enter(ann, { table: 'ruled' })).status).toBe(400)
    expect((await enter(ann, { table: 'ruled', more: { createData: { title: 'x' } } })).status).toBe(200)
    const rejected = await enter({ ...ann, email: 'no@example.com' }, { table: 'strict' })
    expect([rejected.status, await count('strict')]).toEqual([403, 0])
    expect(codes(await enter({ ...ann, sub: undefined }))).toEqual({ providerId: 'validation_required' })
    expect(codes(await enter({ sub: 'x' }))).toEqual({ email: 'validation_required' })
    expect(codes(await enter(ann, { more: { createData: { verified: true } } }))).toEqual({
      verified: 'validation_values_mismatch',
    })
    expect(await count('linked')).toBe(0)
    expect(await count('_externalAuths')).toBe(1)
  })

  test('leaves out a username that does not fit or is taken, and a picture that it must not fetch', async () => {
    const picture = `${idp.issuer}/jwks`
    const first = await enter({ ...ann, picture })
    expect([first.body.record.avatar, first.body.meta.avatarURL]).toEqual(['', picture])
    const second = await enter({ ...ann, sub: 'bob', email: 'bob@example.com' })
    expect(second.body.record.username).toBe('')
    const third = await enter({ ...ann, sub: 'c', email: 'c@example.com', username: '!!' })
    expect(third.body.record.username).toBe('')
  })

  test('links the record with the verified address, and takes away what a stranger may have set', async () => {
    await world.join('linked', 'ann@example.com')
    const stranger = await world.signIn('linked', 'ann@example.com')
    const { body } = await enter(ann)
    expect([body.meta.isNew, body.record.verified]).toEqual([false, true])
    expect(await world.alive('linked', stranger)).toBe(false)
    expect(await world.alive('linked', body.token)).toBe(true)
  })

  test('links a verified record without touching it', async () => {
    await world.join('linked', 'ann@example.com', { verified: true })
    const session = await world.signIn('linked', 'ann@example.com')
    expect((await enter(ann)).body.meta.isNew).toBe(false)
    expect(await world.alive('linked', session)).toBe(true)
  })

  test('does not take an unverified address for anybody’s', async () => {
    await world.join('linked', 'ann@example.com', { verified: true })
    expect(codes(await enter({ ...ann, emailVerified: false }))).toEqual({ email: 'validation_required' })
  })

  test('links the caller, whatever the address; one account of a provider', async () => {
    const { id } = await world.join('linked', 'me@example.com', { verified: true })
    const token = await world.signIn('linked', 'me@example.com')
    const { body } = await enter(ann, { token })
    expect([body.record.id, body.record.email]).toEqual([id, 'me@example.com'])
    const second = await enter({ ...ann, sub: 'ann-2' }, { token })
    expect(codes(second)).toMatchObject({ provider: 'validation_not_unique' })
    const links = await world.call('GET /collections/_externalAuths/records', undefined, token)
    const unlink = `DELETE /collections/_externalAuths/records/${links.body.items[0].id}`
    expect([(await world.call(unlink)).status, (await world.call(unlink, undefined, token)).status]).toEqual([
      404, 204,
    ])
  })

  test('is a first factor like the others', async () => {
    const first = await enter(ann, { table: 'twice' })
    expect([first.status, Object.keys(first.body)]).toEqual([401, ['mfaId']])
    const { body } = await world.call('GET /collections/twice/records', undefined, world.superuser)
    const change = { password, passwordConfirm: password }
    await world.call(`PATCH /collections/twice/records/${body.items[0].id}`, change, world.superuser)
    const { mfaId } = (await enter(ann, { table: 'twice' })).body
    const credentials = { identity: ann.email, password, mfaId }
    expect((await world.act('twice', 'auth-with-password', credentials)).status).toBe(200)
  })

  test('makes one record when the same account comes twice at the same time', async () => {
    const both = await Promise.all([enter(ann), enter(ann)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await count('linked')).toBe(1)
  })
})

describe('avatars', () => {
  let server: Server
  let url: string
  const environment = createEnvironment({ clock: createClock(), seed: 1 })
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/ann.png' }).end()
      else if (request.url === '/ann.png') response.end(Buffer.from('89504e470d0a1a0a', 'hex'))
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  test('are fetched, redirects included, from where that is allowed', async () => {
    for (const path of ['/ann.png', '/moved'])
      expect(await downloadAvatar(url + path, environment, () => true)).toMatchObject({ type: 'image/png' })
    expect(await downloadAvatar(`${url}/none`, environment, () => true)).toBeUndefined()
    for (const address of [`${url}/ann.png`, url.replace('127.0.0.1', 'localhost'), 'file:///etc/hosts', 'x'])
      expect(await downloadAvatar(address, environment)).toBeUndefined()
  })

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    'x',
  ])('are not fetched from %s', (address) => expect(isPublicAddress(address)).toBe(false))

  test.each(['93.184.216.34', '2606:2800:220:1::1'])('are fetched from %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})
