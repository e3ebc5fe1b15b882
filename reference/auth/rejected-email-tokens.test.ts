/** Why the token of an email is rejected: in the log, and not in the response. */

import { describe, expect, it } from 'vitest'
import { RejectingWorld, rejectingTables } from '../../test/support/rejecting-world.ts'

describe('the token of an email is rejected', () => {
  const confirm = (
    world: RejectingWorld,
    operation: string,
    token: string,
    more: object = {},
    table = 'members',
  ) => world.rejected(`collections/${table}/${operation}`, { body: { token, ...more } })
  const passwords = { password: 'another1234', passwordConfirm: 'another1234' }

  it.each([
    ['confirm-verification', {}, 'a verification', 'verification'],
    ['confirm-password-reset', passwords, 'a password reset', 'passwordReset'],
    ['confirm-email-change', { password: 'secret1234' }, 'an email change', 'emailChange'],
  ] as const)(
    'by %s, if it is absent, garbage, of another kind, or expired',
    async (operation, more, purpose, kind) => {
      const world = new RejectingWorld()
      world.reference.clock.freeze('2026-01-31T12:00:00Z')
      expect(await confirm(world, operation, '', more)).toEqual([400, ['The body has no token.']])
      expect(await confirm(world, operation, 'garbage', more)).toEqual([
        400,
        ['The token is not one of this server.'],
      ])
      expect(await confirm(world, operation, await world.token('auth'), more)).toEqual([
        400,
        [`The token is for a session, not for ${purpose}.`],
      ])
      expect(await confirm(world, operation, await world.token(kind, -60), more)).toEqual([
        400,
        [
          'The token expired at 2026-01-31T11:59:00.000Z, and the clock of the server says 2026-01-31T12:00:00.000Z.',
        ],
      ])
      expect(await confirm(world, operation, await world.token(kind), more, 'staff')).toEqual([
        400,
        ['The token belongs to members/member000000001, and the path names "staff".'],
      ])
    },
  )

  it('if it was used', async () => {
    const world = new RejectingWorld()
    const token = await world.token('passwordReset')
    expect(await confirm(world, 'confirm-password-reset', token, passwords)).toEqual([204, undefined])
    expect(await confirm(world, 'confirm-password-reset', token, passwords)).toEqual([
      400,
      ['The token was ended: members/member000000001 has another password, email or token key since.'],
    ])
  })

  it('if it names no address', async () => {
    const field = { name: 'email', type: 'email', required: false, system: true }
    const nameless = { name: 'nameless', type: 'auth', fields: [field] }
    const world = new RejectingWorld({ tables: [...rejectingTables, nameless] })
    const { id } = await world.reference.records.create('nameless', { password: 'secret1234' })
    const token = await world.reference.tokenFor('nameless', String(id), { kind: 'verification' })
    expect(await confirm(world, 'confirm-verification', token, {}, 'nameless')).toEqual([
      400,
      ['The token for a verification names no email address.'],
    ])
  })

  it('if the address or the password does not fit', async () => {
    const world = new RejectingWorld()
    const token = await world.token('emailChange')
    expect(await confirm(world, 'confirm-email-change', token, { password: 'wrong-pass' })).toEqual([
      400,
      ['The password does not match that of members/member000000001.'],
    ])
    await world.reference.records.create('members', {
      id: 'member000000002',
      email: 'new@example.com',
      password: 'secret1234',
    })
    expect(await confirm(world, 'confirm-email-change', token, { password: 'secret1234' })).toEqual([
      400,
      ['members/member000000002 already has the address new@example.com.'],
    ])
  })
})
