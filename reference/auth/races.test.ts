/** Requests during something that ends them, and what clients learn by repeating requests. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { type AuthWorld, makeAuthWorld, password } from '../../test/support/auth-world.ts'

let world: AuthWorld
let ann: { id: string }
beforeEach(async () => {
  world = await makeAuthWorld()
  ann = await world.join('members', 'ann@example.com')
})

const setPassword = (next: string) =>
  world.call(
    `PATCH /collections/members/records/${ann.id}`,
    { password: next, passwordConfirm: next },
    world.superuser,
  )

test('a sign-in with the old password never outlives a change that happens at the same time', async () => {
  const identity = 'ann@example.com'
  const signIn = () => world.act('members', 'auth-with-password', { identity, password })
  const [before, changed, after] = await Promise.all([signIn(), setPassword('password2'), signIn()])
  expect([before.status, changed.status, after.status]).toEqual([200, 200, 400])
  expect(await world.alive('members', before.body.token)).toBe(false)
})

/** A request whose body arrives only after `meanwhile` is done, which begins once the body is read. */
async function slowly(
  path: string,
  token: string,
  meanwhile: () => Promise<unknown>,
  { method = 'POST', text = '{}' } = {},
): Promise<Response> {
  let asked: (controller: ReadableStreamDefaultController<Uint8Array>) => void = () => {}
  const reading = new Promise<ReadableStreamDefaultController<Uint8Array>>((resolve) => {
    asked = resolve
  })
  const response = world.reference.fetch(`http://reference${world.reference.prefix}${path}`, {
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    body: new ReadableStream({ pull: (controller) => asked(controller) }, { highWaterMark: 0 }),
    duplex: 'half',
  } as RequestInit)
  const body = await reading
  await meanwhile()
  body.enqueue(new TextEncoder().encode(text))
  body.close()
  return response
}

test('a session that ends while a refresh is sent is not revived by it', async () => {
  const token = await world.signIn('members', 'ann@example.com')
  const path = '/collections/members/auth-refresh'
  expect((await slowly(path, token, async () => undefined)).status).toBe(200)
  expect((await slowly(path, token, () => setPassword('password2'))).status).toBe(401)
})

test('a write whose session ends while it is sent is made as a guest', async () => {
  const path = `/collections/members/records/${ann.id}`
  const url = `${world.reference.prefix}${path}`
  const entries = JSON.stringify({ requests: [{ method: 'PATCH', url, body: { name: 'late' } }] })
  const update = { method: 'PATCH', text: '{"name":"late"}' }
  const token = await world.signIn('members', 'ann@example.com')
  expect((await slowly(path, token, async () => undefined, update)).status).toBe(200)
  expect((await slowly(path, token, () => setPassword('password2'), update)).status).toBe(404)

  await setPassword(password)
  const next = await world.signIn('members', 'ann@example.com')
  expect((await slowly('/batch', next, async () => undefined, { text: entries })).status).toBe(200)
  expect((await slowly('/batch', next, () => setPassword('password2'), { text: entries })).status).toBe(400)
})

const endSuperuser = async () => {
  const { body } = await world.call('GET /collections/_superusers/records', undefined, world.superuser)
  const change = { password: 'password2', passwordConfirm: 'password2' }
  await world.call(`PATCH /collections/_superusers/records/${body.items[0].id}`, change, world.superuser)
}

test('a superuser whose session ends while the request is sent cannot impersonate', async () => {
  const path = `/collections/members/impersonate/${ann.id}`
  expect((await slowly(path, world.superuser, endSuperuser)).status).toBe(401)
})

test('a sign-in at a provider links nothing to a record whose session ends while it is sent', async () => {
  world = await makeAuthWorld({ oauth2: { pretend: ['acme'] } })
  ann = await world.join('members', 'ann@example.com')
  const token = await world.signIn('members', 'ann@example.com')
  const enter = async (sub: string, meanwhile: () => Promise<unknown>) => {
    const { code } = world.reference.oauth2.next({ sub, email: `${sub}@example.com` })
    const text = JSON.stringify({ provider: 'acme', code })
    const response = await slowly('/collections/members/auth-with-oauth2', token, meanwhile, { text })
    return (await response.json()) as { record: { id: string }; meta: { isNew: boolean } }
  }
  const late = await enter('mallory', () => setPassword('password2'))
  expect([late.record.id === ann.id, late.meta.isNew]).toEqual([false, true])
  const links = await world.reference.records.list('_externalAuths')
  expect(links.map(({ recordRef }) => recordRef)).toEqual([late.record.id])
})

test.each([
  ['auth-with-password', { identity: 'ann@example.com', password }],
  ['auth-with-otp', { otpId: '', password: '' }],
  ['auth-with-oauth2', { provider: 'acme', code: '' }],
])('a superuser whose session ends while %s is sent does not bypass authRule', async (action, sent) => {
  const otp = { enabled: true, duration: 180, length: 6 }
  const closed: TableDefinition = {
    name: 'closed',
    type: 'auth',
    authRule: null,
    authAlert: { enabled: false },
    otp,
  }
  world = await makeAuthWorld({ tables: [closed], oauth2: { pretend: ['acme'] } })
  const { reference, superuser } = world
  await world.join('closed', 'ann@example.com')
  const path = `/collections/closed/${action}`
  const enter = async (meanwhile: () => Promise<unknown>) => {
    const body: Record<string, string> = { ...sent }
    if ('otpId' in body) {
      body.otpId = (await world.act('closed', 'request-otp', { email: 'ann@example.com' })).body.otpId
      body.password = (await reference.mail.waitFor({ kind: 'otp' })).code ?? ''
    }
    if ('code' in body) body.code = reference.oauth2.next({ sub: 'ann', email: 'ann@example.com' }).code
    return (await slowly(path, superuser, meanwhile, { text: JSON.stringify(body) })).status
  }
  expect(await enter(async () => undefined)).toBe(200)
  expect(await enter(endSuperuser)).toBe(403)
})

test('an address is not changed for a session that ends while the request is sent', async () => {
  const token = await world.signIn('members', 'ann@example.com')
  const path = '/collections/members/request-email-change'
  const body = { text: '{"newEmail":"new@example.com"}' }
  expect((await slowly(path, token, () => setPassword('password2'), body)).status).toBe(401)
  expect(world.reference.mail.outbox).toEqual([])
})

test('a record that is deleted while the request is sent cannot be impersonated', async () => {
  const remove = () => world.call(`DELETE /collections/members/records/${ann.id}`, undefined, world.superuser)
  const path = `/collections/members/impersonate/${ann.id}`
  expect((await slowly(path, world.superuser, remove)).status).toBe(404)
})

test('a token is taken in the one way in which it is written', async () => {
  const token = await world.signIn('members', 'ann@example.com')
  expect(await world.alive('members', token)).toBe(true)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const spareBit = letters[letters.indexOf(token.at(-1) ?? '') ^ 1]
  const others = [
    `${token}=`,
    `${token.slice(0, -5)} ${token.slice(-5)}`,
    `${token}.`,
    token.slice(0, -1) + spareBit,
  ]
  for (const other of others) expect(await world.alive('members', other), other).toBe(false)
})

const requestCodes = async (email: string, times: number): Promise<string[]> => {
  const ids: string[] = []
  for (let turn = 0; turn < times; turn++) {
    ids.push((await world.act('members', 'request-otp', { email })).body.otpId)
  }
  return ids
}

test('the limit of open codes does not reveal which addresses are known', async () => {
  const known = await requestCodes('ann@example.com', 12)
  const unknown = await requestCodes('nobody@example.com', 12)
  const pattern = (ids: string[]) => ids.map((id) => ids.indexOf(id))
  expect(pattern(unknown)).toEqual(pattern(known))
  expect(new Set(known).size).toBe(10)
  world.reference.clock.advance(180_001)
  expect(unknown).not.toContain((await requestCodes('nobody@example.com', 1))[0])
})

test('the limit of attempts does not reveal which addresses are known', async () => {
  const attempts = async (email: string) => {
    const statuses: number[] = []
    for (const otpId of [...(await requestCodes(email, 4)), 'nosuchcode00000']) {
      for (const code of ['a', 'b']) {
        statuses.push((await world.act('members', 'auth-with-otp', { otpId, password: code })).status)
      }
    }
    return statuses
  }
  expect(await attempts('nobody@example.com')).toEqual(await attempts('ann@example.com'))
})

test('a slow mail server does not reveal by a wrong code which addresses are known', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  world = await makeAuthWorld({ mail: { smtp: { host: '127.0.0.1', port } }, log: () => {} })
  await world.join('members', 'ann@example.com')
  for (const email of ['nobody@example.com', 'ann@example.com']) {
    const [otpId] = await requestCodes(email, 1)
    const response = world.act('members', 'auth-with-otp', { otpId, password: 'wrong' })
    const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'late'))
    expect(await Promise.race([response.then(({ status }) => status), late]), email).toBe(400)
  }
  for (const socket of sockets) socket.destroy()
  silent.close()
  await world.reference.close()
})

test('what is remembered of unknown addresses is part of the exported state', async () => {
  const unknown = await requestCodes('nobody@example.com', 10)
  const state = JSON.parse(JSON.stringify(await world.reference.exportState()))
  await world.reference.importState(state)
  expect(await requestCodes('nobody@example.com', 1)).toEqual(unknown.slice(-1))
})

test('a second-factor rule that cannot be evaluated for the caller does not bypass the second factor', async () => {
  const grouped = (type: 'text' | 'relation', name: string, more: Partial<TableDefinition>) =>
    ({
      name,
      type: 'auth',
      createRule: '',
      authAlert: { enabled: false },
      otp: { enabled: true, duration: 180, length: 6 },
      fields: [{ name: 'group', type, ...(type === 'relation' && { collectionId: 'groups_id_000001' }) }],
      ...more,
    }) as TableDefinition
  const rule = '@request.auth.group.level != 5'
  const other = await makeAuthWorld({
    tables: [
      { id: 'groups_id_000001', name: 'groups', fields: [{ name: 'level', type: 'number' }] },
      grouped('relation', 'double', { mfa: { enabled: true, duration: 600, rule } }),
      grouped('text', 'strangers', {}),
    ],
  })
  const identity = 'ann@example.com'
  for (const table of ['double', 'strangers']) await other.join(table, identity)
  const token = await other.signIn('strangers', identity)
  expect((await other.act('double', 'auth-with-password', { identity, password })).status).toBe(401)
  expect((await other.act('double', 'auth-with-password', { identity, password }, token)).status).toBe(400)
})
