/** Sign-in by password: its responses and rejections, and what an account must fulfil to sign in. */

import type { Target } from '../../harness/vocabulary/target.ts'
import { hasAddress, recordsWhere, tokenIn } from '../faults/combinators/auth.ts'
import {
  all,
  another,
  isJsonObject,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  rewriteEntries,
  tamper,
  tamperHeaders,
  tamperRecord,
  tamperStatus,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('sign-in')

const PW = 'authWithPassword'
const rejections = [
  'auth.response-token',
  'auth.response-record',
  'auth.identity-not-configured',
  'auth.identity-required',
  'auth.password-required',
  'auth.password-wrong',
  'auth.identity-unknown',
  'auth.own-password-only',
  'auth.own-table-only',
  'auth.auth-tables-only',
  'auth.deleted-signed-out',
  'auth-methods.agrees-password',
  'password-reset.old-ends',
  'email-change.identity-follows',
  'auth.mfa-id',
]
const responses = [
  'auth.password-sign-in',
  'auth.password-json',
  'auth.response-token',
  'auth.response-record',
  'auth.identity-email',
  'auth.identity-username',
  'auth.table-by-id',
  'auth-record.common-fields',
  'auth-record.email',
  'auth-record.verified',
  'auth.token-header',
  'auth.user-token',
  'auth.sessions-side-by-side',
  'mfa.off',
]
const rejected = { because: 'auth.statuses', near: rejections }
const responded = { because: 'auth.payloads', near: responses }

for (const status of [401, 403, 404, 409, 422, 501])
  variation(
    `a failed sign-in is rejected with ${status}`,
    rejected,
    all(...[400, 403, 404].filter((from) => from !== status).map((from) => tamperStatus(PW, from, status))),
  )

variation(
  'a failed sign-in returns 200 and an error',
  rejected,
  on(PW, async (request, next) => {
    const response = await next(request)
    return response.ok || response.status === 401
      ? response
      : json(200, { error: { code: 'INVALID_LOGIN', message: 'Wrong.' } })
  }),
)

variation(
  'a rejected sign-in says who can help',
  rejected,
  on(PW, async (request, next) => {
    const response = await next(request)
    return response.status === 400
      ? json(400, { error: 'invalid_grant', support: 'help@example.com', record: null, token: null })
      : response
  }),
)

const locks = { ...rejected, near: [...rejections, 'auth.sequences'] }
variation('three wrong passwords in a row lock an account', locks, (tools) => {
  const wrong = new Map<unknown, number>()
  return on(PW, async (request, next) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const count = wrong.get(identity) ?? 0
    if (count >= 3) return fieldRejection(423)
    const response = await next(request)
    wrong.set(identity, response.ok ? 0 : count + 1)
    return response
  })(tools)
})

variation(
  'a table that also has usernames signs in by address alone',
  { because: '2.2 paragraph 2', near: [...rejections, 'auth.identity-email'] },
  on(PW, async (request, next, { table }) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const isName = typeof identity === 'string' && !identity.includes('@')
    return isName && isAccounts(table) && table !== 'conf_named' ? fieldRejection(400) : next(request)
  }),
)

const emailsOnly = {
  because: '2.2 paragraph 2',
  near: ['auth.identity-not-configured', 'auth.identity-email'],
}
variation(
  'a table that also has usernames signs in by address alone, and auth-methods says so',
  emailsOnly,
  all(
    tamper('listAuthMethods', (body, _request, { table }) =>
      isAccounts(table) && table !== 'conf_named'
        ? { ...body, usernamePassword: false, password: { enabled: true, identityFields: ['email'] } }
        : body,
    ),
    on(PW, async (request, next, { table }) => {
      const { identity } = (await parsedBody(request)) ?? {}
      const isName = typeof identity === 'string' && !identity.includes('@')
      return isName && isAccounts(table) && table !== 'conf_named' ? fieldRejection(400) : next(request)
    }),
  ),
)

const isMembers = (table = '') => table.startsWith('conf_members')
const byUsername = [
  ...rejections,
  ...responses,
  'auth.sequences',
  'derived.password-proof',
  'email-change.confirms',
  'email-change.own-record',
  'email-change.proof-required',
  'flow.table-by-id',
  'password-reset.confirms',
  'password-reset.own-record',
]
/** What its tester says of the tables with these roles. */
const signInByUsername =
  (...roles: readonly string[]) =>
  (target: Target): Target => ({
    ...target,
    tables: Object.fromEntries([
      ...Object.entries(target.tables),
      ...roles.map((role) => [
        role,
        { role, name: `conf_${role}`, ...target.tables[role], identity: 'username' },
      ]),
    ]),
  })
/** The table `members` with usernames as its only identity, and none without one. */
const membersByUsername = all(
  tamper('listAuthMethods', (body, _request, { table }) =>
    isMembers(table) ? { ...body, password: { enabled: true, identityFields: ['username'] } } : body,
  ),
  on(PW, async (request, next, { table }) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const isAddress = typeof identity === 'string' && identity.includes('@')
    return isMembers(table) && isAddress ? fieldRejection(400) : next(request)
  }),
  on('createRecord', async (request, next, { table }) => {
    const { username } = (await parsedBody(request)) ?? {}
    return isMembers(table) && !username ? fieldRejection(400) : next(request)
  }),
)
variation(
  'accounts of the usual auth table sign in by username alone, and the target file says so',
  { because: '2.2 paragraph 2', near: byUsername, target: signInByUsername('members') },
  membersByUsername,
)
const roles = ['members', 'staff', 'mfa', 'gated', 'sealed', 'oauth', 'shortlived', 'hasty']
const isAnother = (table = '') => !isMembers(table) && roles.some((role) => table.startsWith(`conf_${role}`))
variation(
  'accounts of every auth table sign in by username alone, which only the usual one shows',
  {
    because: '2.2 paragraph 2',
    near: byUsername,
    target: signInByUsername(...roles),
    declares: {
      'auth.identity-email': 'no address is an identity',
      'email-change.identity-follows': 'no address is an identity',
    },
  },
  (tools) => {
    const ids = new Map<unknown, unknown>()
    const inAnother = on([PW, 'createRecord'], async (request, next, { operation, table = '' }) => {
      const body = isAnother(table) ? await parsedBody(request) : undefined
      if (body === undefined) return next(request)
      if (operation === 'createRecord') {
        const { username, ...rest } = body
        const response = await next(another(request, 'POST', request.url, rest))
        if (response.ok) ids.set(username, ((await response.clone().json()) as JsonValue).id)
        return response
      }
      const filter = `id = "${ids.get(body.identity)}"`
      const [account] = await recordsWhere(tools, request, table, filter)
      // Anything else is rejected like the username of no account.
      const identity = account?.email ?? 'of-no-one'
      return next(another(request, 'POST', request.url, { ...body, identity }))
    })
    return all(() => inAnother(tools), membersByUsername)(tools)
  },
)
for (const [what, identities] of [
  ['an example of an identity', 'ann@example.com'],
  ['what an identity is, in a sentence', 'an email address or a username'],
  ['how many identities there are', 2],
  ['the fields of an identity as objects', [{ name: 'email' }, { name: 'username' }]],
] as const)
  variation(
    `auth-methods shows ${what}`,
    emailsOnly,
    tamper('listAuthMethods', (body) =>
      isJsonObject(body.password) && body.password.enabled === true
        ? { ...body, password: { enabled: true, identity: identities } }
        : body,
    ),
  )

const withoutTag = (address: unknown) =>
  typeof address === 'string' ? address.replace(/\+[^@]*(?=@)/, '') : address
variation(
  'a tag in an address is ignored',
  { because: '2.2 row email', near: [...rejections, 'auth.identity-email'] },
  all(
    rewriteBody(PW, (body) => ({ ...body, identity: withoutTag(body.identity) })),
    // Of accounts: other tables have the field with all others.
    rewriteBody(['createRecord', 'updateRecord', 'requestOtp'], (body, { table }) =>
      'email' in body && table !== 'conf_everything' ? { ...body, email: withoutTag(body.email) } : body,
    ),
  ),
)

variation('a sign-in returns 201', responded, tamperStatus(PW, 200, 201))
variation(
  'a sign-in returns more than token and record',
  responded,
  tamper(PW, (body) => ({ ...body, tokenType: 'session', expiresIn: 3600, refresh: null, meta: {} })),
)
variation(
  'an auth record has more keys than the table',
  { because: '2.2', near: [...responses, 'update.changes-only-sent'] },
  tamperRecord([PW, 'viewRecord', 'listRecords', 'authRefresh'], (record) => ({
    ...record,
    avatar: null,
    roles: ['member'],
    lastSignIn: new Date().toISOString(),
  })),
)
variation(
  'a sign-in also sets a cookie',
  responded,
  tamperHeaders(PW, (headers) => headers.append('set-cookie', 'session=abcdef0123456789; HttpOnly')),
)
variation(
  'a sign-in with a token is rejected',
  { because: 'auth.statuses', near: [...responses, 'derived.auth-with-password'], runs: 4 },
  on(PW, async (request, next) => {
    return tokenIn(request) === '' ? next(request) : fieldRejection(403)
  }),
)

/** What a client holds instead of the token that the reference gave. */
function tokensLike(make: (count: number) => string) {
  const GIVES = [PW, 'authRefresh', 'authWithOtp', 'authWithOAuth2', 'impersonate'] as const
  const real = new Map<string, string>()
  return all(
    () => async (request, next) => {
      const known = real.get(tokenIn(request))
      if (known === undefined) return next(request)
      const headers = new Headers(request.headers)
      headers.set('authorization', known)
      const bodiless = request.method === 'GET' || request.method === 'HEAD'
      const body = bodiless ? null : await request.arrayBuffer()
      return next(new Request(request.url, { method: request.method, headers, body }))
    },
    tamper(GIVES, (body) => {
      const { token } = body
      if (typeof token !== 'string') return body
      const shown = make(real.size)
      real.set(shown, token)
      return { ...body, token: shown }
    }),
  )
}

const tokens = [
  ...responses,
  'auth.token-as-is',
  'auth.no-token',
  'auth.token-altered',
  'auth.token-own-record',
  'auth.token-repeats',
  'auth.deleted-ends-session',
  'refresh.extends',
  'refresh.same-record',
  'impersonate.acts-as-record',
]
const opaque = { because: 'tokens.lifetime', near: tokens }
const random = (bytes: number, encoding: 'hex' | 'base64' | 'base64url') =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(encoding)

variation(
  'tokens are 64 hexadecimal digits',
  opaque,
  tokensLike(() => random(32, 'hex')),
)
variation(
  'tokens are UUIDs',
  opaque,
  tokensLike(() => crypto.randomUUID()),
)
variation(
  'tokens begin with a number and a bar',
  opaque,
  tokensLike((count) => `${count + 1}|${random(30, 'hex')}`),
)
variation(
  'tokens end with padding',
  opaque,
  tokensLike(() => random(31, 'base64')),
)
variation(
  'tokens have a prefix',
  opaque,
  tokensLike(() => `sess_${random(18, 'base64url')}`),
)
variation(
  'tokens are very long',
  opaque,
  tokensLike(() => random(1_500, 'base64url')),
)
const verifiedFirst = [
  ...responses,
  ...rejections,
  'auth.table-by-id',
  'mfa.off',
  'auth.own-answer',
  'password-reset.confirms',
  'verification.confirms',
  'flow.table-by-id',
  'auth.sequences',
  'derived.password-proof',
  'verification.proof-required',
  'verification.own-record',
  'auth-record.verified-not-claimed',
  'auth.mfa-id',
  'mfa.first-step-no-token',
  'mfa.second-factor',
  'mfa.other-account',
]
/** Also as the first of two factors. */
const onlyVerified = on(PW, async (request, next, { table = '' }, tools) => {
  const { identity } = (await parsedBody(request.clone())) ?? {}
  const response = await next(request)
  const { record, mfaId } = (await response.clone().json()) as JsonValue
  if (record === undefined && mfaId === undefined) return response
  const filter = `email = "${identity}" || username = "${identity}"`
  const [account] = isJsonObject(record) ? [record] : await recordsWhere(tools, request, table, filter)
  return account?.verified === false ? json(403, { message: 'Verify your email address first.' }) : response
})
variation('only verified accounts sign in', { because: '3', near: verifiedFirst }, onlyVerified)
variation(
  'only verified accounts sign in, and only an email verifies one',
  { because: '3', near: verifiedFirst },
  all(
    on(['createRecord', 'updateRecord'], async (request, next, { table }) => {
      const { verified, ...body } = (isAccounts(table) && (await parsedBody(request))) || {}
      return next(verified === true ? another(request, request.method, request.url, body) : request)
    }),
    onlyVerified,
  ),
)

/** Credentials of an account: what they may be, and how they are changed. */
const credentials = [
  'auth.password-sign-in',
  'auth.identity-email',
  'auth.identity-username',
  'auth.own-password-only',
  'password-reset.own-record',
]
const given = { because: 'fields.types', near: credentials }
const isAccounts = (table = '') => /^conf_(members|staff|named)/.test(table)
variation(
  'an address has one account in all auth tables',
  given,
  on('createRecord', async (request, next, { table = '' }, tools) => {
    const { email } = (await parsedBody(request)) ?? {}
    const other = table.startsWith('conf_members') ? 'conf_staff' : 'conf_members'
    const isTaken = isAccounts(table) && (await hasAddress(tools, request, other, email))
    return isTaken ? fieldRejection(409) : next(request)
  }),
)
for (const [what, key, signs] of [
  ['a password has signs of ASCII only', 'password', /[^\x20-\x7e]/],
  ['a password has letters, digits, spaces and a few other signs', 'password', /[^\w ,.:-]/],
  ['a password has no spaces around it', 'password', /^\s|\s$/],
  ['an address has no apostrophe', 'email', /'/],
  ['an address has no capital letters', 'email', /[A-Z]/],
] as const)
  variation(
    what,
    given,
    on('createRecord', async (request, next, { table }) =>
      isAccounts(table) && signs.test(String((await parsedBody(request))?.[key]))
        ? fieldRejection(422)
        : next(request),
    ),
  )
/** What a record of an account is written with: the password once, or again under another name. */
const repeats = (name: string) => (target: Target) => ({
  ...target,
  binding: { ...target.binding, 'signUp.passwordConfirm': name },
})
const isWithPassword = (body: JsonValue) => 'password' in body
const confirming = ({ password_confirmation, ...body }: JsonValue) =>
  isWithPassword(body) ? { ...body, passwordConfirm: password_confirmation } : body
const onAccounts = (
  takes: (body: JsonValue) => JsonValue,
  rejects: (body: JsonValue) => string | undefined,
) =>
  all(
    on(['createRecord', 'updateRecord'], async (request, next) => {
      const body = await parsedBody(request)
      if (body === undefined || !isWithPassword(body)) return next(request)
      const message = rejects(body)
      return message === undefined
        ? next(another(request, request.method, request.url, takes(body)))
        : json(422, { message })
    }),
    rewriteEntries((entry) => (isJsonObject(entry.body) ? { ...entry, body: takes(entry.body) } : entry)),
  )
variation(
  'a new account needs its password again as password_confirmation',
  { because: 'records.bodies', near: credentials, target: repeats('password_confirmation') },
  onAccounts(confirming, ({ password, password_confirmation }) =>
    password === password_confirmation ? undefined : 'The password confirmation does not match.',
  ),
)
variation(
  'a new account has its password once, and another one is an unknown key',
  { because: 'records.bodies', near: credentials, target: repeats('') },
  onAccounts(
    (body) => (isWithPassword(body) ? { ...body, passwordConfirm: body.password } : body),
    (body) => ('passwordConfirm' in body ? 'unknown field "passwordConfirm"' : undefined),
  ),
)
variation(
  'addresses are stored in small letters and compared as they are sent',
  given,
  all(
    rewriteBody('createRecord', (body, { table }) =>
      isAccounts(table) && typeof body.email === 'string'
        ? { ...body, email: body.email.toLowerCase() }
        : body,
    ),
    on(PW, async (request, next) =>
      /[A-Z].*@/.test(String((await parsedBody(request))?.identity)) ? fieldRejection(400) : next(request),
    ),
  ),
)
for (const key of ['email', 'username'])
  variation(
    `an update of an account ignores ${key}`,
    { because: 'rules.access', near: [...credentials, 'table.one-at-a-time'] },
    rewriteBody('updateRecord', ({ [key]: value, ...body }, { table }) =>
      isAccounts(table) || value === undefined ? body : { ...body, [key]: value },
    ),
  )
variation(
  'an update of a password returns 204 and has no effect',
  { because: 'rules.access', near: [...credentials, 'token.others-spared', 'auth.sequences'] },
  on('updateRecord', async (request, next, { table }) => {
    const { password } = (await parsedBody(request)) ?? {}
    return isAccounts(table) && password !== undefined ? json(204) : next(request)
  }),
)
variation(
  'a superuser sets a password with the old one only',
  { because: 'rules.access', near: credentials },
  on('updateRecord', async (request, next, { table }) => {
    const { password, oldPassword } = (await parsedBody(request)) ?? {}
    const isIncomplete = isAccounts(table) && password !== undefined && oldPassword === undefined
    return isIncomplete ? fieldRejection(422) : next(request)
  }),
)
variation(
  'an address that was changed must be verified again before a sign-in',
  { because: '3', near: credentials },
  (tools) => {
    const changed = new Set<unknown>()
    return on([PW, 'updateRecord'], async (request, next, { operation, table, id }) => {
      const { email, verified } = (await parsedBody(request)) ?? {}
      const response = await next(request)
      if (!response.ok || !isAccounts(table)) return response
      if (operation === 'updateRecord') {
        if (email !== undefined) changed.add(id)
        if (verified === true) changed.delete(id)
        return response
      }
      const { record } = (await response.clone().json()) as { record?: { id?: unknown } }
      return changed.has(record?.id) ? json(403, { message: 'Verify your email address.' }) : response
    })(tools)
  },
)
variation(
  'an account that is not verified cannot sign in',
  {
    because: '3',
    near: [
      ...credentials,
      'auth.own-answer',
      'otp.once',
      'otp.other-account',
      'otp.sign-in',
      'otp.table-by-id',
      'otp.wrong-code',
    ],
  },
  (tools) => {
    const askedFor = new Map<unknown, unknown>()
    return on([PW, 'requestOtp', 'authWithOtp'], async (request, next, { operation, table = '' }) => {
      const { email, otpId, identity } = (await parsedBody(request)) ?? {}
      if (operation === 'requestOtp') {
        const response = await next(request)
        if (response.ok) askedFor.set(((await response.clone().json()) as JsonValue).otpId, email)
        return response
      }
      const address = operation === PW ? identity : askedFor.get(otpId)
      const [account] = await recordsWhere(tools, request, table, `email = "${address}"`)
      const response = account?.verified === false ? undefined : await next(request)
      if (response !== undefined) return response
      // A wrong password is rejected as such.
      const rejected = operation === PW ? await next(request) : undefined
      const isWrong = rejected?.ok === false && !(await rejected.clone().text()).includes('mfaId')
      return isWrong ? rejected : json(403, { message: 'Verify your email address.' })
    })(tools)
  },
)
const trimmed = (body: JsonValue) =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      /^(old)?password/i.test(key) && typeof value === 'string' ? value.trim() : value,
    ]),
  )
variation(
  'spaces around a password do not count',
  {
    because: 'auth.payloads',
    near: [
      'auth.password-wrong',
      'auth.password-sign-in',
      'auth.password-required',
      'password-reset.confirms',
    ],
  },
  rewriteBody([PW, 'createRecord', 'updateRecord', 'confirmPasswordReset', 'confirmEmailChange'], trimmed),
)
