import { expect, it } from 'vitest'
import type { Body } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { trySignUp } from './sign-up.ts'

/** A session with a server that rejects a password that is sent twice. */
function strictAbout(reset: string) {
  const session = {
    target: {
      binding: {
        'signUp.passwordConfirm': 'passwordConfirm',
        'passwordReset.passwordConfirm': reset,
      },
    },
    get binding() {
      return this.target.binding
    },
    redactor: { give: () => {} },
    api: () => ({
      create: async (_table: unknown, body: Body) => {
        const status = 'passwordConfirm' in body ? 400 : 201
        return { status, ok: status === 201, headers: {}, body: { id: 'r1' } }
      },
      authWithPassword: async () => ({ ok: true, body: { token: 'a token' } }),
    }),
  }
  return session as typeof session & Wire & CleanUp
}

it.each([
  ['passwordConfirm', ''],
  ['again', 'again'],
])('sends a password once where twice is rejected, also at a reset: %s', async (given, found) => {
  const session = strictAbout(given)
  const result = await trySignUp(session, { role: 'members', name: 'users' }, 'a@example.com')
  expect(result).toMatchObject({ account: { id: 'r1', token: 'a token' } })
  expect(session.target.binding).toEqual({
    'signUp.passwordConfirm': '',
    'passwordReset.passwordConfirm': found,
  })
})
