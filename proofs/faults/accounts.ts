/** Defects of accounts: passwords, addresses, verification, who may write them. */

import { byEmail, changeRecord, claimsIn, lets, SIGN_INS, tokenIn } from './combinators/auth.ts'
import {
  all,
  asSuperuser,
  type JsonValue,
  on,
  parsedBody,
  rewriteBody,
  rewriteEntries,
  tamperRecord,
} from './combinators/combinators.ts'
import { acceptsField, fieldRejection, rejects } from './combinators/field.ts'
import { fault } from './fault.ts'

const PW = 'authWithPassword'

const confirmed = (body: Record<string, unknown>) =>
  'password' in body || 'passwordConfirm' in body
    ? {
        ...body,
        password: body.password ?? body.passwordConfirm,
        passwordConfirm: body.password ?? body.passwordConfirm,
      }
    : body
fault(
  'passwords are accepted without confirmation',
  { trips: ['account.sign-up-password', 'account.sign-up-mismatch', 'account.password-change'] },
  rewriteBody(['createRecord', 'updateRecord'], confirmed),
)
fault(
  'short passwords are accepted',
  { trips: ['account.password-length'] },
  acceptsField('password', 'validation_min_text_constraint'),
)
fault(
  'long passwords are accepted',
  { trips: ['account.password-length'] },
  acceptsField('password', 'validation_max_text_constraint'),
)
const cutPassword = (body: Record<string, unknown>) =>
  typeof body.password === 'string' && body.password.length > 36 && /^é+$/.test(body.password)
    ? { ...body, password: 'é'.repeat(36), passwordConfirm: 'é'.repeat(36) }
    : body
fault(
  'only the first 72 bytes of a new password are read',
  { trips: ['account.password-bytes', 'password.bytes'] },
  rewriteBody(['createRecord', 'updateRecord'], cutPassword),
)
fault(
  'two accounts can have the same address',
  { trips: ['account.email-unique'] },
  acceptsField('email', 'validation_not_unique'),
)
fault(
  'any string is accepted as an address',
  { trips: ['account.email-form'] },
  acceptsField('email', 'validation_is_email'),
)
fault(
  'users can set verified themselves',
  { trips: ['account.verified-claimed'] },
  acceptsField('verified', 'validation_values_mismatch'),
)
fault(
  'owners can set any address',
  { trips: ['account.email-direct'] },
  acceptsField('email', 'validation_values_mismatch'),
)
fault(
  'the old password is not required',
  { trips: ['account.old-password'] },
  acceptsField('oldPassword', 'validation_required'),
)
fault(
  'any old password is accepted',
  { trips: ['account.old-password'] },
  acceptsField('oldPassword', 'validation_invalid_old_password'),
)
fault(
  'auth tables share ids',
  { trips: ['account.id-unique'] },
  acceptsField('id', 'validation_invalid_auth_id'),
)
fault(
  'passwords cannot be changed',
  {
    trips: ['account.password-change', 'account.superuser-edits', 'token.password-ends'],
  },
  rejects('updateRecord', (body) => 'password' in body),
)
fault(
  'addresses cannot be changed directly',
  { trips: ['account.superuser-edits', 'account.manager-edits', 'token.email-ends'] },
  rejects('updateRecord', (body) => 'email' in body),
)
fault(
  'everyone can update every account',
  {
    trips: [
      'account.manager-edits',
      'account.of-others',
      'account.mass-assignment',
      'access.denial-no-effect',
      'auth-record.verified-not-claimed',
    ],
  },
  asSuperuser('updateRecord'),
)
fault(
  'everyone can delete every account',
  { trips: ['account.of-others', 'access.denial-no-effect'] },
  asSuperuser('deleteRecord'),
)
fault(
  'addresses are never shown',
  { trips: ['account.visibility', 'email-visibility.public'] },
  tamperRecord('viewRecord', ({ email: _hidden, ...record }) => record),
)
fault(
  'a sign-in shows the token key',
  { trips: ['account.secrets'] },
  tamperRecord(PW, (record) => ({ ...record, tokenKey: 'x'.repeat(50) })),
)
fault(
  'an auth record lacks its dates',
  { trips: ['auth-record.common-fields'] },
  tamperRecord(PW, ({ created: _left, ...record }) => record),
)
fault(
  'verified is a string',
  { trips: ['auth-record.verified'] },
  tamperRecord([PW, 'viewRecord', 'listRecords'], (record) =>
    'verified' in record ? { ...record, verified: 'no' } : record,
  ),
)
fault(
  'every account is verified',
  {
    trips: [
      'auth-record.starts-unverified',
      'flow.request-changes-nothing',
      'verification.email-ends',
      'password-reset.verifies',
      'account.verified-claimed',
      'sign-in.unknown-keys',
    ],
  },
  tamperRecord([PW, 'createRecord'], (record) =>
    'verified' in record ? { ...record, verified: true } : record,
  ),
)
fault(
  'no account is verified',
  {
    trips: [
      'verification.confirms',
      'verification.confirm-status',
      'otp.verifies',
      'oauth2.new-record',
      'password-reset.verifies',
      'email-change.verifies',
    ],
  },
  tamperRecord(SIGN_INS, (record) => ({ ...record, verified: false })),
)
fault(
  'sign-up is closed',
  { trips: ['auth-record.starts-unverified', 'account.secrets'] },
  on('createRecord', async (request, next, { table }) =>
    table === 'conf_members' && tokenIn(request) === '' ? fieldRejection(403) : next(request),
  ),
)

// -- what auth-methods says
fault(
  'auth tables reject updates',
  { trips: ['auth-record.record-endpoints'] },
  on('updateRecord', async (request, next, { table }) =>
    table === 'conf_members' ? fieldRejection(404) : next(request),
  ),
)
for (const [where, isMeant] of [
  ['in an auth table', (url: string) => /conf_members/.test(url)],
  ['under the identifier of an auth table', (url: string) => /conf_members_0001/.test(url)],
  ['in another auth table', (url: string) => /conf_staff/.test(url)],
] as const)
  fault(
    `a batch updates nothing ${where}`,
    { trips: ['auth-record.record-endpoints'] },
    rewriteEntries((entry) =>
      entry.method === 'PATCH' && isMeant(String(entry.url)) ? { ...entry, body: {} } : entry,
    ),
  )
fault(
  'a password that a batch sets has no effect',
  { trips: ['auth.password-sign-in'] },
  rewriteEntries((entry) => (entry.method === 'PATCH' ? { ...entry, body: {} } : entry)),
)
fault(
  'a password signs in after a batch has set another one',
  { trips: ['auth.password-wrong'] },
  (tools) => {
    const known = new Map<unknown, unknown>()
    const watch = rewriteEntries((entry) => {
      const { email, password } = (entry.body ?? {}) as JsonValue
      if (entry.method === 'POST' && email !== undefined) known.set(email, password)
      return entry
    })
    const old = lets([400], (body) =>
      known.get(body.identity) === body.password ? byEmail(body) : undefined,
    )
    return all(watch, old)(tools)
  },
)
for (const claim of ['true', 1, '1'])
  fault(
    `an account verifies itself by sending ${JSON.stringify(claim)}`,
    { trips: ['auth-record.verified-not-claimed'] },
    on('updateRecord', async (request, next, { table = '', id }, tools) => {
      const { verified } = (await parsedBody(request)) ?? {}
      const isOwn = claimsIn(tokenIn(request))?.id === id
      return verified === claim && isOwn
        ? changeRecord(tools, request, table, id, { verified: true })
        : next(request)
    }),
  )
