/** The control endpoints for time, tokens and keys. */

import { describe, expect, it } from 'vitest'
import { startControlled } from '../test/support/controlled-server.ts'

describe('time', () => {
  it('moves, stops and goes on', async () => {
    const { post, get } = await startControlled()
    expect((await post('clock', { freeze: '2030-01-31T12:00:00Z' })).body).toMatchObject({
      now: '2030-01-31T12:00:00.000Z',
      frozen: true,
    })
    expect((await post('clock', { advance: '15m' })).body.now).toBe('2030-01-31T12:15:00.000Z')
    expect((await post('clock', { advance: 1500 })).body.now).toBe('2030-01-31T12:15:01.500Z')
    expect((await post('clock', { unfreeze: true })).body.frozen).toBe(false)
    expect((await get('clock')).body.now).toMatch(/^2030-01-31T12:15:0/)
  })

  it.each([[{ advance: 'soon' }], [{ set: 'never' }], [{ set: 1e300 }], [{ freeze: {} }], [{ avdance: 1 }]])(
    'rejects %j',
    async (body) => {
      const { post } = await startControlled()
      expect(await post('clock', body)).toMatchObject({ status: 400, body: { message: expect.any(String) } })
    },
  )
})

describe('tokens and keys', () => {
  it.each<[string, object, string, (token: string) => object]>([
    ['verification', {}, 'users/confirm-verification', (token) => ({ token })],
    [
      'passwordReset',
      {},
      'users/confirm-password-reset',
      (token) => ({ token, password: 'other-secret', passwordConfirm: 'other-secret' }),
    ],
    [
      'emailChange',
      { newEmail: 'new@example.com' },
      'users/confirm-email-change',
      (token) => ({ token, password: 'secret1234' }),
    ],
  ])('mints %s tokens that confirm', async (kind, more, path, body) => {
    const { api, post } = await startControlled()
    const { token } = (await post('token', { table: 'users', id: 'ann', kind, ...more })).body
    expect((await api(path, body(token))).status).toBe(204)
  })

  it('mints sessions: such as can be refreshed, such as cannot, and expired ones', async () => {
    const { api, post } = await startControlled()
    const refresh = async (body: object) =>
      (
        await api(
          'users/auth-refresh',
          {},
          (
            await post('token', { table: 'users', id: 'ann', ...body })
          ).body.token,
        )
      ).body.token
    const isStatic = await refresh({ kind: 'static' })
    expect(await refresh({})).not.toBe(isStatic)
    expect(await refresh({ duration: -10 })).toBeUndefined()
    expect(
      (await post('token', { table: 'users', email: 'ann@example.com', kind: 'file' })).body,
    ).toMatchObject({ id: 'ann' })
    expect((await post('token', { table: 'users', email: 'Ann@Example.com' })).body).toMatchObject({
      id: 'ann',
    })
  })

  it.each<[object, number, RegExp]>([
    [{ table: 'users', id: 'bob' }, 404, /record does not exist/],
    [{ table: 'user', id: 'ann' }, 400, /Did you mean "users"/],
    [{ table: 'posts', id: 'p1' }, 400, /is not an auth table/],
    [{ table: 'users' }, 400, /"id" or "email" is required/],
    [{ id: 'ann' }, 400, /"table" is required and must be a string/],
    [{ table: 'users', id: 'ann', kindd: 'file' }, 400, /Unknown key "kindd"\. Did you mean "kind"/],
    [{ table: 'users', id: 'ann', kind: 'verify' }, 400, /one of auth, static.*, not "verify"/],
    [{ table: 'users', id: 'ann', kind: 'emailChange' }, 400, /newEmail/],
    [{ table: 'users', id: 'ann', duration: 'long' }, 400, /"duration" must be an integer, not "long"/],
  ])('rejects %j', async (body, status, message) => {
    const { post } = await startControlled()
    expect(await post('token', body)).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    })
  })

  it('makes and revokes keys', async () => {
    const { api, post } = await startControlled()
    const { key, id } = (await post('api-keys', { name: 'k', tables: ['posts'], actions: ['list'] })).body
    expect((await api('users/records', undefined, key)).status).toBe(403)
    expect((await post('api-keys', { revoke: id })).status).toBe(204)
    expect((await api('users/records', undefined, key)).status).toBe(200)
    expect((await post('api-keys', { revoke: id })).status).toBe(404)
    const actions = ['list', 'view', 'create', 'update', 'delete']
    expect((await post('api-keys', { tables: ['*'], actions })).body).toMatchObject({ actions })
    expect((await post('api-keys', { tables: ['posts'], actions: ['fly'] })).body.message).toMatch(/fly/)
  })
})
