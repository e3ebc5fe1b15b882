import { beforeEach, describe, expect, test } from 'vitest'
import { type AuthWorld, makeAuthWorld, password } from '../../test/support/auth-world.ts'
import { servicesOf } from '../services-of.ts'
import { addOwned, type OwnedKind, ownedKinds, ownedRows } from './owned-rows.ts'

const email = 'ann@example.com'
const newPassword = { password: 'password2', passwordConfirm: 'password2' }
const bare = { otps: 0, mfas: 0, externalAuths: 0, authOrigins: 0 }
const full = { otps: 1, mfas: 1, externalAuths: 1, authOrigins: 1 }

let world: AuthWorld
let id: string
let session: string
beforeEach(async () => {
  world = await makeAuthWorld()
  id = (await world.join('members', email)).id
  session = await world.signIn('members', email)
})

const values: Record<OwnedKind, Record<string, string>> = {
  otps: { password: 'x' },
  mfas: { method: 'otp' },
  externalAuths: { provider: 'oidc', providerId: 's' },
  authOrigins: { fingerprint: 'f' },
}

function parts() {
  const { store, environment } = servicesOf(world.reference)
  const table = store.current.table('members')
  const row = table && store.current.get(table, id)
  if (table === undefined) throw new Error('There is no table "members".')
  return { store, environment, table, row }
}

/** Gives the record a row of each kind. */
async function furnish(kinds: readonly OwnedKind[] = ownedKinds): Promise<void> {
  const { store, environment, table, row } = parts()
  if (row === undefined) throw new Error('The record is gone.')
  await store.transaction((writer) => {
    for (const kind of kinds) addOwned(writer, kind, table, row, values[kind], environment)
  })
}

function counts() {
  const { store, table } = parts()
  const gone = { rowid: 0, id, values: {} }
  return Object.fromEntries(
    ownedKinds.map((kind) => [kind, ownedRows(store.current, kind, table, gone).length]),
  )
}

const patch = (body: object, token = world.superuser) =>
  world.call(`PATCH /collections/members/records/${id}`, body, token)

describe('what a change of an auth record ends', () => {
  test.each([
    ['another password', newPassword, false, { ...bare, externalAuths: 1 }],
    ['the same password', { password, passwordConfirm: password }, false, { ...bare, externalAuths: 1 }],
    ['another e-mail', { email: 'new@example.com' }, false, { ...full, otps: 0 }],
    ['another token key', { 'tokenKey:autogenerate': '' }, false, { ...full, otps: 0 }],
    ['verified, with a linked account', { verified: true }, false, { ...full, otps: 0, externalAuths: 0 }],
    ['another name', { username: 'ann' }, true, full],
  ])('%s', async (_, body, alive, left) => {
    await furnish()
    expect((await patch(body)).status).toBe(200)
    expect([await world.alive('members', session), counts()]).toEqual([alive, left])
  })

  test('verified, without a linked account: nothing', async () => {
    await furnish(['otps', 'mfas', 'authOrigins'])
    await patch({ verified: true })
    expect([await world.alive('members', session), counts()]).toEqual([true, { ...full, externalAuths: 0 }])
  })

  test('deletion: everything', async () => {
    await furnish()
    await world.call(`DELETE /collections/members/records/${id}`, undefined, session)
    expect([await world.alive('members', session), counts()]).toEqual([false, bare])
  })

  test('only superusers may change the token key', async () => {
    await patch({ tokenKey: 'x'.repeat(40), 'tokenKey:autogenerate': '' }, session)
    expect(await world.alive('members', session)).toBe(true)
    await patch({ tokenKey: 'x'.repeat(40) })
    expect(await world.alive('members', session)).toBe(false)
  })

  test('the old password allows the change to a new one, if the rule accepts the caller', async () => {
    expect((await patch(newPassword, session)).body.data.oldPassword.code).toBe('validation_required')
    expect((await patch({ ...newPassword, oldPassword: 'no' }, session)).status).toBe(400)
    expect((await patch({ ...newPassword, oldPassword: password }, session)).status).toBe(200)
    expect(await world.alive('members', session)).toBe(false)
  })
})
