/** Defects of sign-in by password. */

import {
  andThen,
  byEmail,
  CONFIRMS,
  hasAccountToken,
  hasAddress,
  letIn,
  lets,
  REQUESTS,
  recordsWhere,
  rememberingTokens,
  SIGN_INS,
  tokenIn,
} from './combinators/auth.ts'
import {
  all,
  another,
  dropQuery,
  isIdentifier,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  rewritePath,
  tamper,
  tamperRecord,
  tamperStatus,
  underIdentifier,
} from './combinators/combinators.ts'
import { fieldRejection, first, misreads, rejects, withObject } from './combinators/field.ts'
import { type FaultTools, fault } from './fault.ts'

const PW = 'authWithPassword'
const asked = (text: string) => JSON.parse(text || '{}') as Record<string, unknown>

fault(
  'passwords are not compared',
  {
    trips: [
      'auth.password-wrong',
      'auth.own-password-only',
      'sign-in.failed',
      'account.password-change',
      'password-reset.old-ends',
      'otp.takeover-safe',
      'oauth2.takeover-safe',
      'auth.password-required',
    ],
  },
  lets([400], byEmail),
)
fault(
  'an account of a provider signs in with an empty password',
  { trips: ['auth.password-required'] },
  lets([400], (body, table) => (table === 'conf_oauth' && body.password === '' ? byEmail(body) : undefined)),
)
fault('a sign-in returns the record as the first one did', { trips: ['auth.response-record'] }, (tools) => {
  const seen = new Map<unknown, JsonValue>()
  return on(PW, async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const body = (await response.json()) as { record: JsonValue }
    const record = seen.get(body.record.id) ?? body.record
    seen.set(body.record.id, record)
    return json(200, { ...body, record })
  })(tools)
})
fault(
  'an unknown identity signs in',
  {
    trips: [
      'auth.identity-unknown',
      'email-change.identity-follows',
      'sign-in.id-no-identity',
      'auth.identity-required',
    ],
  },
  lets([400], () => 'id != ""'),
)
fault(
  'the first characters of an identity sign in',
  { trips: ['auth.identity-unknown'] },
  lets([400], ({ identity }) => (String(identity).includes('@') ? `email ~ "${identity}%"` : undefined)),
)
fault(
  'an identity with wildcards signs in',
  { trips: ['auth.identity-unknown'] },
  lets([400], ({ identity }) => (/[%_]/.test(String(identity)) ? `email ~ "${identity}"` : undefined)),
)
fault(
  'a percent sign in an identity stands for its end',
  { trips: ['auth.identity-unknown'] },
  lets([400], ({ identity }) => (/^[^_]+%$/.test(String(identity)) ? `email ~ "${identity}"` : undefined)),
)
fault(
  'an underscore in an identity stands for a character',
  { trips: ['auth.identity-unknown'] },
  lets([400], ({ identity }) =>
    /^[^%]*_[^%]*$/.test(String(identity)) ? `email ~ "${String(identity).replace('_', '%')}"` : undefined,
  ),
)
fault(
  'the part of an address before its @ signs in',
  { trips: ['auth.identity-not-configured'] },
  lets([400], ({ identity }) => (/[@%_]/.test(String(identity)) ? undefined : `email ~ "${identity}@%"`)),
)
/** What signed in once signs in forever, in these tables. */
const signsInForever = (isMeant: (table: string) => boolean) => (tools: FaultTools) => {
  const before = new Map<string, string>()
  return on(PW, async (request, next, { table = '' }) => {
    if (!isMeant(table)) return next(request)
    const sent = await request.clone().text()
    const response = await next(request)
    if (response.ok) before.set(sent, await response.clone().text())
    const known = before.get(sent)
    return response.ok || known === undefined ? response : json(200, JSON.parse(known))
  })(tools)
}
fault(
  'a sign-in that succeeded once succeeds forever',
  { trips: ['auth.deleted-signed-out'] },
  signsInForever(() => true),
)
fault(
  'any auth table accepts the account',
  { trips: ['auth.own-table-only'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const other = table === 'conf_members' ? 'conf_staff' : 'conf_members'
    return response.ok
      ? response
      : ((await letIn(tools, request, other, `email = "${identity}"`)) ?? response)
  }),
)
fault(
  'a table without sign-in accepts sign-ins',
  { trips: ['auth.auth-tables-only', 'sign-in.no-auth-table'] },
  rewritePath([...SIGN_INS, 'requestOtp'], (path) => path.replace('conf_plain', 'conf_members')),
)
fault(
  'addresses are not accepted as the identity',
  { trips: ['auth.identity-email', 'auth.password-sign-in', 'password-reset.confirms'] },
  rejects(PW, ({ identity }) => String(identity).includes('@')),
)
fault(
  'usernames are not accepted as the identity',
  { trips: ['auth.identity-username', 'sign-in.identity-field'] },
  rejects(PW, ({ identity }) => !String(identity).includes('@')),
)
fault(
  'addresses are accepted where only usernames are allowed',
  { trips: ['auth.identity-not-configured'] },
  lets([400], (body, table) => (table === 'conf_named' ? byEmail(body) : undefined)),
)
fault(
  'usernames are accepted where auth-methods reports addresses alone',
  { trips: ['auth.identity-not-configured', 'auth-methods.shape'] },
  tamper('listAuthMethods', (body, _request, { table }) =>
    table === 'conf_members' ? { ...body, password: { enabled: true, identityFields: ['email'] } } : body,
  ),
)
fault(
  'the name of an account is accepted where only addresses are configured',
  { trips: ['auth.identity-not-configured'] },
  lets([400], ({ identity }, table) =>
    table === 'conf_staff' && identity !== '' ? `name = "${identity}"` : undefined,
  ),
)
fault(
  'sign-in reads no JSON whose media type has a charset, and succeeds without a session',
  { trips: ['auth.password-json'] },
  first(PW, (request) => (/;/.test(request.headers.get('content-type') ?? '') ? json(200, {}) : undefined)),
)
fault(
  'a token is a number',
  { trips: ['auth.response-token'] },
  tamper(PW, (body, _request, { table }) => (table === 'conf_members' ? { ...body, token: 12345 } : body)),
)
fault(
  'a sign-in returns another account',
  { trips: ['auth.response-record', 'refresh.same-record', 'auth.identity-email'] },
  tamperRecord([PW, 'authRefresh'], (record) => ({ ...record, id: 'somebody0000000' })),
)
for (const [endpoints, operations, trips] of [
  ['sign-in', [PW, 'listAuthMethods'], 'auth.table-by-id'],
  ['refresh', ['authRefresh'], 'refresh.table-by-id'],
  ['the first step of sign-in by code', ['requestOtp'], 'otp.table-by-id'],
  ['the second step of sign-in by code', ['authWithOtp'], 'otp.table-by-id'],
  ['sign-in through a provider', ['authWithOAuth2'], 'oauth2.table-by-id'],
  ['impersonation', ['impersonate'], 'impersonate.table-by-id'],
  ...[...REQUESTS, ...CONFIRMS].map((flow) => [flow, [flow], 'flow.table-by-id'] as const),
] as const)
  fault(
    `${endpoints} does not find tables by id`,
    { trips: [trips] },
    first(operations, (request) => (/_0001\//.test(request.url) ? fieldRejection(404) : undefined)),
  )
fault(
  'a record has one session',
  { trips: ['auth.sessions-side-by-side', 'refresh.old-lives'] },
  rememberingTokens(['authRefresh'], (given, token, response) =>
    given.size > 1 && [...given].indexOf(token) < given.size - 2 + Number(!response.ok)
      ? fieldRejection(401)
      : response,
  ),
)
const first72 = (text: string) => Buffer.from(text).subarray(0, 72).toString()
fault(
  'only the first 72 bytes of a password are compared',
  { trips: ['sign-in.password-whole'] },
  rewriteBody(PW, (body) =>
    typeof body.password === 'string' ? { ...body, password: first72(body.password) } : body,
  ),
)
fault(
  'a sign-in returns 201 and writes dates in words',
  { trips: ['auth-record.common-fields'] },
  on(PW, async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const { record, ...rest } = (await response.json()) as { record: object }
    return json(201, { ...rest, record: { ...record, created: 'yesterday' } })
  }),
)
fault('a sign-in returns 201', { trips: ['sign-in.status'] }, tamperStatus(PW, 200, 201))
fault(
  'fields is ignored at sign-in',
  { trips: ['sign-in.fields', 'auth-methods.fields'] },
  dropQuery([PW, 'listAuthMethods'], 'fields'),
)
fault(
  'sign-in rejects forms',
  { trips: ['sign-in.forms'] },
  first(PW, (request) =>
    /form/.test(request.headers.get('content-type') ?? '') ? fieldRejection(400) : undefined,
  ),
)
fault(
  'unknown keys are rejected at sign-in',
  { trips: ['sign-in.unknown-keys'] },
  rejects(PW, (body) => 'extra' in body),
)
fault(
  'a rejected sign-in returns 401',
  {
    trips: [
      'sign-in.missing',
      'sign-in.too-long',
      'sign-in.wrong-types',
      'sign-in.malformed',
      'sign-in.failed',
      'sign-in.id-no-identity',
      'sign-in.auth-rule-later',
      'mfa.same-method',
      'mfa.wrong-first-refused',
      'impersonate.ends',
    ],
  },
  tamperStatus(PW, 400, 401),
)
fault(
  'the response reveals that an identity is unknown',
  { trips: ['enumeration.password'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const { identity } = (await parsedBody(request)) ?? {}
    return (await hasAddress(tools, request, table, identity)) ? next(request) : fieldRejection(404)
  }),
)
fault(
  'a sign-in with a token is rejected',
  { trips: ['sign-in.any-token', 'access.matrix'] },
  first(PW, (request) => (tokenIn(request) === '' ? undefined : fieldRejection(401))),
)
fault(
  'identityField is ignored',
  { trips: ['sign-in.identity-field'] },
  rewriteBody(PW, ({ identityField: _ignored, ...body }) => body),
)
fault(
  'usernames are case-sensitive',
  { trips: ['sign-in.username-case'] },
  rejects(PW, ({ identity }) => /^[A-Z0-9_]+$/.test(String(identity))),
)
fault(
  'a sign-in hides the address of the account',
  {
    trips: [
      'sign-in.email-shown',
      'auth-record.email',
      'impersonate.status',
      'email-change.confirms',
      'email-visibility.owner',
    ],
  },
  tamperRecord(
    [...SIGN_INS, 'authRefresh', 'impersonate', 'viewRecord'],
    ({ email: _hidden, ...record }) => record,
  ),
)
fault(
  'authRule and switches are ignored',
  {
    trips: [
      'sign-in.password-off',
      'sign-in.auth-rule',
      'sign-in.auth-rule-null',
      'sign-in.auth-rule-later',
      'auth-methods.agrees-password',
    ],
  },
  lets([403], byEmail),
)
fault(
  'the authRule applies to superusers',
  { trips: ['sign-in.auth-rule-superuser'] },
  first(PW, (request, text) =>
    tokenIn(request) !== '' && text.includes('identity') ? fieldRejection(403) : undefined,
  ),
)
fault(
  'sign-in paths return 405 for other methods',
  { trips: ['sign-in.method'] },
  () => async (request, next) =>
    request.method !== 'POST' && request.url.endsWith('auth-with-password')
      ? fieldRejection(405)
      : next(request),
)

fault(
  'an empty sign-in is accepted',
  { trips: ['sign-in.missing'] },
  first(PW, (_request, text) =>
    text === '' || Object.keys(asked(safe(text))).length === 0 ? json(200, {}) : undefined,
  ),
)
function safe(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return '{"broken":true}'
  }
}
fault(
  'sign-ins return an outdated record',
  { trips: ['sign-in.record-as-viewed', 'oauth2.record-as-viewed'] },
  tamperRecord([...SIGN_INS, 'authRefresh', 'impersonate'], (record) => ({
    ...record,
    emailVisibility: 'once',
  })),
)
fault(
  'an email address is also the password',
  { trips: ['auth.password-wrong'] },
  lets([400], (body) => (body.password === body.identity ? byEmail(body) : undefined)),
)
fault(
  'another auth table accepts a wrong password',
  { trips: ['auth.password-wrong'] },
  lets([400], (body, table) =>
    table === 'conf_staff' && body.password === 'wrong password' ? byEmail(body) : undefined,
  ),
)
fault(
  'the second sign-in of an account empties its name',
  { trips: ['update.changes-only-sent'] },
  (tools) => {
    const turns = new Map<unknown, number>()
    return andThen(
      PW,
      ({ record }) => {
        const { id } = record as { id: string }
        turns.set(id, (turns.get(id) ?? 0) + 1)
        return turns.get(id) === 2 ? id : undefined
      },
      { name: '' },
    )(tools)
  },
)
fault(
  'an impersonation empties the name of its account',
  { trips: ['update.changes-only-sent'] },
  andThen('impersonate', ({ record }) => (record as { id: string }).id, { name: '' }),
)
for (const table of ['conf_members', 'conf_passwordless'])
  fault(
    `a sign-in by code to ${table} empties the name of its account`,
    { trips: ['update.changes-only-sent'] },
    andThen(
      'authWithOtp',
      ({ record }) => {
        const { id, collectionName } = record as { id: string; collectionName: string }
        return collectionName === table ? id : undefined
      },
      { name: '' },
    ),
  )
for (const [where, table] of [
  ['', 'conf_members'],
  [' where there are only usernames', 'conf_named'],
] as const)
  fault(
    `a username signs in with any password${where}`,
    { trips: ['auth.password-wrong'] },
    lets([400], ({ identity, password }, meant) =>
      meant === table && identity !== '' && password !== '' ? `username = "${identity}"` : undefined,
    ),
  )
fault(
  'spaces around a password are lost when it is stored',
  { trips: ['auth.password-sign-in'] },
  all(
    ...['password', 'passwordConfirm'].map((key) =>
      misreads(key, (sent) => (typeof sent === 'string' ? sent.trim() : sent), 'createRecord'),
    ),
  ),
)
const first40 = (text: unknown) => (typeof text === 'string' ? text.slice(0, 40) : text)
fault(
  'only the first forty characters of a password are read',
  { trips: ['auth.password-wrong'] },
  rewriteBody([PW, 'createRecord'], (body) =>
    String(body.password).length > 40
      ? {
          ...body,
          password: first40(body.password),
          ...('passwordConfirm' in body && { passwordConfirm: first40(body.passwordConfirm) }),
        }
      : body,
  ),
)
fault(
  'a tag in an address is not read',
  { trips: ['auth.identity-unknown'] },
  rewriteBody(PW, (body) => ({ ...body, identity: String(body.identity).replace(/\+[^@]*@/, '@') })),
)
fault(
  'a deleted account of another auth table signs in',
  { trips: ['auth.deleted-signed-out'] },
  signsInForever((table) => table === 'conf_staff'),
)
fault('a username from before signs in', { trips: ['auth.identity-username'] }, (tools) => {
  const idOf = new Map<unknown, unknown>()
  return on(PW, async (request, next, { table = '' }) => {
    const { identity } = (await parsedBody(request.clone())) ?? {}
    const response = await next(request.clone())
    if (table !== 'conf_named') return response
    if (!response.ok)
      return (
        (idOf.has(identity) && (await letIn(tools, request, table, `id = "${idOf.get(identity)}"`))) ||
        response
      )
    const { record } = (await response.clone().json()) as { record: { id: unknown } }
    idOf.set(identity, record.id)
    return response
  })(tools)
})
fault(
  'the password of an account with the same address in another table signs in',
  { trips: ['auth.own-password-only'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const { identity } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.status !== 400) return response
    const other = table === 'conf_members' ? 'conf_staff' : 'conf_members'
    const path = `${tools.prefix}/collections/${other}/auth-with-password`
    const theirs = await next(another(request, 'POST', path, await parsedBody(request)))
    return theirs.ok ? ((await letIn(tools, request, table, `email = "${identity}"`)) ?? response) : response
  }),
)
for (const [what, key, signs, trips] of [
  ['passwords with signs beyond ASCII', 'password', /[^\x20-\x7e]/, 'auth.password-sign-in'],
  ['passwords with quotes', 'password', /"/, 'auth.password-sign-in'],
  ['addresses with an apostrophe', 'identity', /'/, 'auth.identity-email'],
  ['addresses with capital letters', 'identity', /[A-Z].*@/, 'auth.identity-email'],
] as const)
  fault(
    `${what} do not sign in`,
    { trips: [trips] },
    rejects(PW, (body) => signs.test(String(body[key]))),
  )
fault(
  'a password that a superuser sets has no effect',
  { trips: ['auth.password-sign-in', 'account.superuser-edits'] },
  on('updateRecord', async (request, next) => {
    const { password, passwordConfirm: _, ...rest } = (await parsedBody(request)) ?? {}
    const isByRoot = !hasAccountToken(request) && tokenIn(request) !== ''
    return next(isByRoot && password !== undefined ? withObject(request, rest) : request)
  }),
)
/** What an update changes an identity to does not sign in. */
const forgetsChanged = (field: 'email' | 'username') => (tools: FaultTools) => {
  const changed = new Set<unknown>()
  return on([PW, 'updateRecord'], async (request, next, { operation }) => {
    const { identity, [field]: now } = (await parsedBody(request)) ?? {}
    if (operation === PW) return changed.has(identity) ? fieldRejection(400) : next(request)
    const response = await next(request)
    if (response.ok && now !== undefined) changed.add(now)
    return response
  })(tools)
}
fault(
  'an address that a superuser changed does not sign in',
  { trips: ['auth.identity-email'] },
  forgetsChanged('email'),
)
fault(
  'a username that was changed does not sign in',
  { trips: ['auth.identity-username'] },
  forgetsChanged('username'),
)
fault(
  'under the identifier of a table, a sign-in shows it as the name',
  { trips: ['auth.response-record'] },
  tamperRecord(PW, (record, { table = '' }) =>
    isIdentifier(table) ? { ...record, collectionName: table } : record,
  ),
)
fault(
  'under the identifier of a table, passwords are not compared',
  {
    trips: [
      'auth.password-wrong',
      'auth.own-password-only',
      'auth.password-required',
      'auth.identity-not-configured',
      'mfa.two-different',
    ],
  },
  underIdentifier([PW], lets([400], byEmail)),
)
fault(
  'under the identifier of a table, an unknown identity signs in',
  {
    trips: ['auth.identity-unknown', 'auth.identity-required', 'auth.own-table-only'],
  },
  underIdentifier(
    [PW],
    lets([400], () => 'id != ""'),
  ),
)
fault(
  'the id of an account is accepted as its identity',
  { trips: ['auth.identity-not-configured', 'sign-in.id-no-identity'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const body = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok || !/^[a-z0-9]{15}$/.test(String(body.identity))) return response
    const [account] = await recordsWhere(tools, request, table, `id = "${body.identity}"`)
    const identity = account?.email || account?.username
    return identity ? next(withObject(request, { ...body, identity })) : response
  }),
)
