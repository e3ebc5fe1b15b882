/**
 * Random requests to the endpoints of sign-in and email that end without an email and without a token.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { PairRequest } from './pair.ts'
import { livingValues } from './values.ts'

/** Accounts to be made before, of the table `conf_members`. */
export const accounts = ['a', 'b', 'c'].map((name, at) => ({
  id: `member00000000${at}`,
  email: `${name}@example.com`,
  username: `user_${at}`,
  password: 'password1',
  passwordConfirm: 'password1',
  emailVisibility: at === 1,
  verified: at === 2,
}))

type Fields = Record<string, Arbitrary<unknown>>

const some = (...named: unknown[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...named) }, { weight: 1, arbitrary: livingValues })

const identity = some(
  ...[
    'a@example.com',
    'A@example.com',
    'user_0',
    'USER_1',
    'b@example.com ',
    'nobody@example.com',
    '',
    null,
    1,
    true,
  ],
  ...[
    accounts[0]?.id,
    ['a@example.com'],
    {},
    'x'.repeat(255),
    'x'.repeat(256),
    'é'.repeat(128),
    'é'.repeat(255),
  ],
)
const secret = some(
  ...[
    'password1x',
    'Password1',
    'password1 ',
    '',
    null,
    12345678,
    'x'.repeat(71),
    'x'.repeat(72),
    'x'.repeat(256),
  ],
)
const token = some('', 'x', 'a.b.c', null, 1, {}, [], 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6IngifQ.x')
// The response for a well-formed address differs each time: an unknown one gets a random id.
const address = some('', null, 'x', 1, 'a@b')

const endpoints: [action: string, fields: Fields][] = [
  [
    'auth-with-password',
    { identity, password: secret, identityField: some('email', 'username', 'id', '', null, 'nope') },
  ],
  ['auth-with-otp', { otpId: token, password: secret, mfaId: token }],
  [
    'auth-with-oauth2',
    { provider: some('google', 'nope', '', null), code: token, codeVerifier: token, redirectURL: token },
  ],
  ['auth-refresh', {}],
  ['request-otp', { email: address }],
  ['request-verification', { email: some('nobody@example.com', '', null, 'x') }],
  ['request-password-reset', { email: some('nobody@example.com', '', null, 'x') }],
  ['request-email-change', { newEmail: some('nobody@example.com', '', null, 'x') }],
  ['confirm-verification', { token }],
  ['confirm-password-reset', { token, password: secret, passwordConfirm: secret }],
  ['confirm-email-change', { token, password: secret }],
  [`impersonate/${accounts[0]?.id}`, { duration: some(0, -1, 60, '60', 'x', null, 1.5, true) }],
]
const tables = fc.constantFrom(
  ...[
    'conf_members',
    'conf_members',
    'conf_named',
    'conf_plain',
    'conf_nope',
    'conf_mfa',
    'conf_gated',
    'conf_sealed',
  ],
  ...['conf_staff', '_superusers', '_otps', 'CONF_MEMBERS', 'conf_members_0001', 'conf_passwordless'],
)

const isAddress = ({ email }: { email?: unknown }) => typeof email === 'string' && /@.*\./.test(email)

/** One request of a guest. */
export const signIns: Arbitrary<PairRequest> = fc.constantFrom(...endpoints).chain(([action, fields]) =>
  fc
    .record({
      table: tables,
      body: fc.oneof(
        { weight: 12, arbitrary: fc.record(fields, { requiredKeys: [] }) },
        { weight: 1, arbitrary: fc.constantFrom<unknown>('', '[]', '{', '"x"') },
      ),
      query: fc.constantFrom('', '', '?fields=data', '?expand=x'),
    })
    .filter(({ body }) => !(action === 'request-otp' && isAddress(body as object)))
    .map(({ table, body, query }) => ({
      method: 'POST',
      path: `/collections/${table}/${action}${query}`,
      body,
    })),
)
