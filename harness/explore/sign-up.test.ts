import { expect, it } from 'vitest'
import type { Body } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { keptAccount, trySignUp } from './sign-up.ts'

/**
 * A session with a server that rejects a password that is sent twice, or one that is not repeated under its own name.
 *
 * @param reset what the binding calls the second password of a reset
 * @param says what a rejection of a sign-up is. @default the name, if there is one
 * @param takes what a reset takes; undefined: it looks at the proof first
 */
function strictAbout(reset: string, own?: string, says?: unknown, takes = own ?? '') {
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
        const isRejected = own === undefined ? 'passwordConfirm' in body : !(own in body)
        const status = isRejected ? 400 : 201
        const named = own === undefined ? {} : { data: { [own]: { message: 'must be the same' } } }
        const shown = isRejected ? (says ?? named) : { id: 'r1' }
        const text = JSON.stringify(shown)
        return { status, ok: status === 201, headers: {}, body: shown, text, exchange: { request: {} } }
      },
      confirmPasswordReset: async () => {
        const isRight = session.binding['passwordReset.passwordConfirm'] === takes
        const text = isRight ? 'the proof is wrong' : 'the password confirmation does not match'
        return { status: 422, ok: false, headers: {}, body: undefined, text, exchange: { request: {} } }
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

it('repeats the password under the name that a rejection has', async () => {
  const session = strictAbout('passwordConfirm', 'password_confirmation')
  await trySignUp(session, { role: 'members', name: 'users' }, 'a@example.com')
  expect(session.target.binding).toEqual({
    'signUp.passwordConfirm': 'password_confirmation',
    'passwordReset.passwordConfirm': 'password_confirmation',
  })
})

it('tries usual names where a rejection says that the password is not repeated', async () => {
  const says = { errors: { password: ['The password confirmation does not match.'] } }
  const session = strictAbout('passwordConfirm', 'confirmPassword', says, 'passwordConfirm')
  await trySignUp(session, { role: 'members', name: 'users' }, 'a@example.com')
  expect(session.target.binding).toEqual({
    'signUp.passwordConfirm': 'confirmPassword',
    // A trial shows that a reset takes it under the given name.
    'passwordReset.passwordConfirm': 'passwordConfirm',
  })
})

it('tries no names where the target file has one', async () => {
  const session = strictAbout('passwordConfirm', 'password_confirmation')
  Object.assign(session.target, { named: ['signUp.passwordConfirm'] })
  const result = await trySignUp(session, { role: 'members', name: 'users' }, 'a@example.com')
  expect(result).toMatchObject({ problem: { status: 400 } })
  expect(session.target.binding).toMatchObject({ 'signUp.passwordConfirm': 'passwordConfirm' })
})

/** The creates that a server receives for a kept account, and whether there is one in the end. */
async function creates(knowsSuperuser: boolean, accepts: (by: string, body: Body) => boolean) {
  const sent: string[] = []
  const session = {
    target: { binding: {} },
    binding: {},
    options: { seed: 1 },
    actors: { knows: () => knowsSuperuser },
    redactor: { give: () => {} },
    cleanup: { mark: () => 0, keepToTheEnd: () => {} },
    api: (by: string) => ({
      create: async (_table: unknown, body: Body) => {
        sent.push(body.verified === true ? `${by}, verified` : by)
        const ok = accepts(by, body)
        const text = ''
        return {
          ok,
          status: ok ? 201 : 403,
          headers: {},
          body: { id: 'r1' },
          text,
          exchange: { request: {} },
        }
      },
      authWithPassword: async () => ({ ok: true, body: { token: 'a token' } }),
    }),
  } as unknown as Wire & CleanUp
  let count = 0
  const unique = () => `account-${count++}`
  const account = await keptAccount(session, { role: 'members', name: 'users' }, unique)
  return { sent, found: account !== undefined }
}

it('lets the superuser create the account of a run, verified where the server takes that', async () => {
  expect(await creates(true, (by) => by === 'superuser')).toEqual({
    sent: ['superuser, verified'],
    found: true,
  })
  expect(await creates(true, (by, body) => by === 'superuser' && body.verified === undefined)).toEqual({
    sent: ['superuser, verified', 'guest', 'superuser'],
    found: true,
  })
  expect(await creates(true, (by) => by === 'guest')).toMatchObject({ found: true })
})

it('signs an account up as a guest where no superuser is known', async () => {
  expect(await creates(false, () => true)).toEqual({ sent: ['guest'], found: true })
  expect(await creates(false, () => false)).toEqual({ sent: ['guest'], found: false })
})
