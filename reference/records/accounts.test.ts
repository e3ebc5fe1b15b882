import { beforeEach, describe, expect, it } from 'vitest'
import { call, signIn } from '../../test/support/reference-call.ts'
import { makeWorld } from '../../test/support/reference-world.ts'
import type { Reference } from '../reference.ts'

let reference: Reference
let superuser: string

beforeEach(async () => {
  const world = await makeWorld()
  reference = world.reference
  superuser = world.superuser
})

const ada = { email: 'ada@example.com', password: 'adapass123' }

describe('auth records', () => {
  const register = (body: object, token?: string) =>
    call(reference, 'POST /collections/users/records', body, { token })

  it('require the password twice, before any field', async () => {
    const bare = await register({ email: 'bad' })
    expect(Object.keys(bare.body.data).sort()).toEqual(['password', 'passwordConfirm'])
    const differs = await register({ ...ada, passwordConfirm: 'other' })
    expect(differs.body.data).toEqual({
      passwordConfirm: { code: 'validation_values_mismatch', message: "Values don't match." },
    })
    const verified = await register({ ...ada, passwordConfirm: ada.password, verified: true })
    expect(Object.keys(verified.body.data)).toEqual(['verified'])
  })

  it('have passwords of 72 bytes at most; only callers that pass all rules see which field is wrong', async () => {
    const of = (password: string) => ({ ...ada, password, passwordConfirm: password })
    for (const long of ['é'.repeat(37), 'x'.repeat(73)]) {
      const guest = await register(of(long))
      expect(guest).toMatchObject({ status: 400, body: { message: 'Failed to create record.', data: {} } })
      expect(guest.body.data).toEqual({})
      const reported = await register(of(long), superuser)
      expect(reported.body.data).toEqual({
        password: { code: 'validation_invalid_value', message: 'Invalid value.' },
      })
    }
    expect(await register(of('é'.repeat(36)))).toMatchObject({ status: 200 })
    await signIn(reference, 'users', ada.email, 'é'.repeat(36))
  })

  it('hide the email from others, and never show password or token key', async () => {
    const { body } = await register({ ...ada, passwordConfirm: ada.password })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['email']))
    const token = await signIn(reference, 'users', ada.email, ada.password)
    const own = await call(reference, `GET /collections/users/records/${body.id}`, undefined, { token })
    expect(own.body.email).toBe(ada.email)
    const all = await call(reference, `GET /collections/users/records/${body.id}`, undefined, {
      token: superuser,
    })
    expect(all.body).not.toHaveProperty('password')
    expect(all.body).not.toHaveProperty('tokenKey')
  })

  it('need the old password for a new one, which ends earlier tokens', async () => {
    const { body } = await register({ ...ada, passwordConfirm: ada.password })
    const token = await signIn(reference, 'users', ada.email, ada.password)
    const patch = (change: object) =>
      call(reference, `PATCH /collections/users/records/${body.id}`, change, { token })
    const fresh = { password: 'newpass123', passwordConfirm: 'newpass123' }
    expect((await patch(fresh)).body.data.oldPassword.code).toBe('validation_required')
    expect((await patch({ ...fresh, oldPassword: 'wrong' })).body.data.oldPassword.code).toBe(
      'validation_invalid_old_password',
    )
    expect((await patch({ email: 'new@example.com' })).body.data.email.code).toBe(
      'validation_values_mismatch',
    )
    expect((await patch({ ...fresh, oldPassword: ada.password })).status).toBe(200)
    expect((await patch({})).status).toBe(404)
    await expect(signIn(reference, 'users', ada.email, ada.password)).rejects.toThrow(
      'Failed to authenticate.',
    )
    await signIn(reference, 'users', ada.email, 'newpass123')
  })

  it('have ids that no other auth table uses', async () => {
    const { body } = await register({ ...ada, passwordConfirm: ada.password })
    const taken = await call(
      reference,
      'POST /collections/_superusers/records',
      { id: body.id, email: 'x@example.com', password: 'xxxxxxxxxx', passwordConfirm: 'xxxxxxxxxx' },
      { token: superuser },
    )
    expect(taken.body.data.id.code).toBe('validation_invalid_auth_id')
  })

  it('keep the last superuser', async () => {
    const { body } = await call(reference, 'GET /collections/_superusers/records', undefined, {
      token: superuser,
    })
    const rejected = await call(
      reference,
      `DELETE /collections/_superusers/records/${body.items[0].id}`,
      undefined,
      { token: superuser },
    )
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      "You can't delete the only existing superuser.",
    ])
  })
})
