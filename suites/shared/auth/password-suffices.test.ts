import { expect, it } from 'vitest'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expectCodeSuffices, passwordHindrance } from './password-suffices.ts'

const table = { role: 'members', name: 'people' }

function response(status: number, body: unknown): ApiResponse {
  const text = JSON.stringify(body)
  return { status, ok: status < 300, text, body, exchange: { response: { body: text } } } as ApiResponse
}

const rejected = response(403, { message: 'disabled' })
const halfway = response(401, { mfaId: 'm1' })
const off = { enabled: false }
const on = { enabled: true }

/** A table with these methods, to which a password leads this far. */
function contextOf(methods: unknown, byPassword = rejected) {
  const api = {
    authMethods: () => Promise.resolve(response(200, methods)),
    authWithPassword: () => Promise.resolve(byPassword),
  }
  return { api, binding: {} } as unknown as CheckContext
}

it.each<[string, unknown, ApiResponse, RegExp | undefined]>([
  ['is reported as off and rejected', { password: off, otp: on }, rejected, /no sign-in by password/],
  ['is not in the list, and rejected', { methods: ['otp'] }, rejected, /no sign-in by password/],
  ['is reported as on and rejected', { password: on }, rejected, undefined],
  ['is reported in unknown words, and rejected', { strategy: 's1' }, rejected, undefined],
  ['is reported as off and ends in a server error', { password: off }, response(500, {}), undefined],
  ['is reported as off and signs in', { password: off }, response(200, { token: 't1' }), undefined],
  ['is the first of two factors', { password: on, mfa: on }, halfway, /needs a second factor/],
  [
    'is the first of two factors, which the report does not mention',
    { password: on },
    halfway,
    /second factor/,
  ],
  [
    'is the first of two factors, of which the report says that they are off',
    { mfa: off },
    halfway,
    undefined,
  ],
])('a password that %s', async (_, methods, seen, expected) => {
  const hindrance = await passwordHindrance(contextOf(methods), table, seen)
  expect(hindrance?.message).toEqual(expected && expect.stringMatching(expected))
  if (expected !== undefined) expect(hindrance?.hint).toContain('{ "name": "people" }')
})

it.each<[string, unknown, ApiResponse, ApiResponse, boolean]>([
  ['leads to the next factor', { mfa: on }, halfway, rejected, true],
  ['is rejected where the password leads to the next factor', { mfa: on }, rejected, halfway, true],
  ['is rejected where the password alone is rejected, too', { mfa: on }, rejected, rejected, false],
  ['leads to a factor that is reported as off', { mfa: off }, halfway, rejected, false],
])('a code that %s', async (_, methods, seen, byPassword, isUntestable) => {
  const account = { table, email: 'a@example.com', password: 'p' }
  const outcome = expectCodeSuffices(contextOf(methods, byPassword), account, seen)
  if (isUntestable) await expect(outcome).rejects.toThrow('needs a second factor')
  else await expect(outcome).resolves.toBeUndefined()
})
