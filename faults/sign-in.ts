/** Defects of sign-in by password and of accounts. */

import {
  byEmail,
  hasAddress,
  letIn,
  lets,
  rememberingTokens,
  SIGN_INS,
  session,
  tokenOf,
} from './auth-combinators.ts'
import {
  all,
  asSuperuser,
  dropQuery,
  forgive,
  json,
  jsonOf,
  on,
  rewriteBody,
  rewritePath,
  tamper,
  tamperRecord,
  tamperStatus,
} from './combinators.ts'
import { fault } from './fault.ts'
import { first, refusal, refuses, takes } from './field-combinators.ts'

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
  'who is unknown is somebody',
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
fault('what signed in once does so for ever', { trips: ['auth.deleted-signed-out'] }, (tools) => {
  const before = new Map<string, string>()
  return on(PW, async (request, next) => {
    const sent = await request.clone().text()
    const response = await next(request)
    if (response.ok) before.set(sent, await response.clone().text())
    const known = before.get(sent)
    return response.ok || known === undefined ? response : json(200, JSON.parse(known))
  })(tools)
})
fault(
  'any table of accounts will do',
  { trips: ['auth.own-table-only'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const { identity } = (await jsonOf(request)) ?? {}
    const response = await next(request.clone())
    const other = table === 'conf_members' ? 'conf_staff' : 'conf_members'
    return response.ok
      ? response
      : ((await letIn(tools, request, other, `email = "${identity}"`)) ?? response)
  }),
)
fault(
  'a table without sign-in signs in',
  { trips: ['auth.auth-tables-only', 'sign-in.no-auth-table'] },
  rewritePath([...SIGN_INS, 'requestOtp'], (path) => path.replace('conf_plain', 'conf_members')),
)
fault(
  'addresses are no identity',
  { trips: ['auth.identity-email', 'auth.password-sign-in', 'password-reset.confirms'] },
  refuses(PW, ({ identity }) => String(identity).includes('@')),
)
fault(
  'user names are no identity',
  { trips: ['auth.identity-username', 'sign-in.identity-field'] },
  refuses(PW, ({ identity }) => !String(identity).includes('@')),
)
fault(
  'addresses sign in where user names do',
  { trips: ['auth.identity-not-configured'] },
  lets([400], (body, table) => (table === 'conf_named' ? byEmail(body) : undefined)),
)
fault(
  'sign-in takes JSON without parameters only',
  { trips: ['auth.password-json'] },
  first(PW, (request) => (/;/.test(request.headers.get('content-type') ?? '') ? refusal(400) : undefined)),
)
fault(
  'a token is a number',
  { trips: ['auth.response-token'] },
  tamper('authRefresh', (body) => ({ ...body, token: 12345 })),
)
fault(
  'a sign-in shows somebody else',
  { trips: ['auth.response-record', 'refresh.same-record', 'auth.identity-email'] },
  tamperRecord([PW, 'authRefresh'], (record) => ({ ...record, id: 'somebody0000000' })),
)
fault(
  'sign-in does not know tables by id',
  { trips: ['auth.table-by-id'] },
  first([PW, 'listAuthMethods'], (request) => (/_0001\//.test(request.url) ? refusal(404) : undefined)),
)
fault(
  'a record has one session',
  { trips: ['auth.sessions-side-by-side', 'refresh.old-lives'] },
  rememberingTokens(['authRefresh'], (given, token, response) =>
    given.size > 1 && [...given].indexOf(token) < given.size - 2 + Number(!response.ok)
      ? refusal(401)
      : response,
  ),
)
fault('a sign-in answers 201', { trips: ['sign-in.status'] }, tamperStatus(PW, 200, 201))
fault(
  'fields are not narrowed at sign-in',
  { trips: ['sign-in.fields', 'auth-methods.fields'] },
  dropQuery([PW, 'listAuthMethods'], 'fields'),
)
fault(
  'sign-in takes no forms',
  { trips: ['sign-in.forms'] },
  first(PW, (request) => (/form/.test(request.headers.get('content-type') ?? '') ? refusal(400) : undefined)),
)
fault(
  'unknown keys are refused at sign-in',
  { trips: ['sign-in.unknown-keys'] },
  refuses(PW, (body) => 'extra' in body),
)
fault(
  'a refused sign-in is 401',
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
      'mfa.wrong-first',
      'impersonate.ends',
    ],
  },
  tamperStatus(PW, 400, 401),
)
fault(
  'unknown identities are told',
  { trips: ['enumeration.password'] },
  on(PW, async (request, next, { table = '' }, tools) => {
    const { identity } = (await jsonOf(request)) ?? {}
    return (await hasAddress(tools, request, table, identity)) ? next(request) : refusal(404)
  }),
)
fault(
  'a sign-in with a token is refused',
  { trips: ['sign-in.any-token', 'access.matrix'] },
  first(PW, (request) => (tokenOf(request) === '' ? undefined : refusal(401))),
)
fault(
  'identityField is ignored',
  { trips: ['sign-in.identity-field'] },
  rewriteBody(PW, ({ identityField: _ignored, ...body }) => body),
)
fault(
  'user names have a letter case',
  { trips: ['sign-in.username-case'] },
  refuses(PW, ({ identity }) => /^[A-Z0-9_]+$/.test(String(identity))),
)
fault(
  'the own address is hidden',
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
  'authRule and switches are forgotten',
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
  'superusers do not pass an authRule',
  { trips: ['sign-in.auth-rule-superuser'] },
  first(PW, (request, text) =>
    tokenOf(request) !== '' && text.includes('identity') ? refusal(403) : undefined,
  ),
)
fault(
  'sign-in paths answer other methods with 405',
  { trips: ['sign-in.method'] },
  () => async (request, next) =>
    request.method !== 'POST' && request.url.endsWith('auth-with-password') ? refusal(405) : next(request),
)

const confirmed = (body: Record<string, unknown>) =>
  'password' in body || 'passwordConfirm' in body
    ? {
        ...body,
        password: body.password ?? body.passwordConfirm,
        passwordConfirm: body.password ?? body.passwordConfirm,
      }
    : body
fault(
  'passwords need no confirmation',
  { trips: ['account.sign-up-password', 'account.sign-up-mismatch', 'account.password-change'] },
  rewriteBody(['createRecord', 'updateRecord'], confirmed),
)
fault(
  'passwords may be short',
  { trips: ['account.password-length'] },
  takes('password', 'validation_min_text_constraint'),
)
fault(
  'passwords may be long',
  { trips: ['account.password-length'] },
  takes('password', 'validation_max_text_constraint'),
)
fault(
  'an address may belong to two',
  { trips: ['account.email-unique'] },
  takes('email', 'validation_not_unique'),
)
fault('any text is an address', { trips: ['account.email-form'] }, takes('email', 'validation_is_email'))
fault(
  'claims to be verified pass',
  { trips: ['account.verified-claimed'] },
  takes('verified', 'validation_values_mismatch'),
)
fault(
  'owners write any address',
  { trips: ['account.email-direct'] },
  takes('email', 'validation_values_mismatch'),
)
fault(
  'no old password is needed',
  { trips: ['account.old-password'] },
  takes('oldPassword', 'validation_required'),
)
fault(
  'any old password will do',
  { trips: ['account.old-password'] },
  takes('oldPassword', 'validation_invalid_old_password'),
)
fault('auth tables share ids', { trips: ['account.id-unique'] }, takes('id', 'validation_invalid_auth_id'))
fault(
  'passwords cannot be changed',
  {
    trips: [
      'account.password-change',
      'account.superuser-edits',
      'token.password-ends',
      'token.others-spared',
    ],
  },
  refuses('updateRecord', (body) => 'password' in body),
)
fault(
  'addresses cannot be changed directly',
  { trips: ['account.superuser-edits', 'account.manager-edits', 'token.email-ends'] },
  refuses('updateRecord', (body) => 'email' in body),
)
fault(
  'everybody updates every account',
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
  'everybody deletes every account',
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
  'verified is a word',
  { trips: ['auth-record.verified'] },
  tamperRecord([PW, 'viewRecord', 'listRecords'], (record) =>
    'verified' in record ? { ...record, verified: 'no' } : record,
  ),
)
fault(
  'everybody counts as verified',
  {
    trips: [
      'auth-record.starts-unverified',
      'auth-record.verified-not-claimed',
      'flow.request-changes-nothing',
      'verification.proof-required',
      'verification.own-record',
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
  'nobody counts as verified',
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
  'nobody signs up',
  { trips: ['auth-record.record-endpoints', 'auth-record.starts-unverified', 'account.secrets'] },
  on('createRecord', async (request, next, { table }) =>
    table === 'conf_members' && tokenOf(request) === '' ? refusal(403) : next(request),
  ),
)

// -- what auth-methods says
const METHODS = 'listAuthMethods'
fault(
  'no methods are told',
  { trips: ['auth-methods.lists', 'auth-methods.shape'] },
  tamper(METHODS, () => ({})),
)
fault(
  'methods are told to users only',
  { trips: ['auth-methods.without-token', 'auth-methods.any-token', 'access.matrix'] },
  first(METHODS, (request) => (tokenOf(request) === '' ? refusal(401) : undefined)),
)
fault(
  'every method is told',
  {
    trips: [
      'auth-methods.agrees-password',
      'auth-methods.agrees-otp',
      'auth-methods.agrees-oauth2',
      'auth-methods.disabled',
    ],
  },
  tamper(METHODS, (body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, value]) =>
        typeof value === 'object' && value !== null && 'enabled' in value
          ? [key, { ...value, enabled: true }]
          : [key, value],
      ),
    ),
  ),
)
fault(
  'durations are minutes',
  { trips: ['auth-methods.shape'] },
  tamper(METHODS, (body) => ({ ...body, otp: { enabled: true, duration: 3 } })),
)
fault(
  'methods depend on the token',
  { trips: ['auth-methods.any-token'] },
  on(METHODS, async (request, next) => (tokenOf(request).includes(' ') ? refusal(401) : next(request))),
)
fault('every table has methods', { trips: ['auth-methods.no-auth-table'] }, forgive(METHODS, 404, 200, {}))

// -- impersonation
const root = 'impersonate'
fault(
  'everybody impersonates',
  {
    trips: [
      'impersonate.superuser-only',
      'impersonate.guest',
      'impersonate.api-key-refused',
      'api-key.no-record',
      'access.denial-no-effect',
      'access.matrix',
    ],
  },
  asSuperuser(root),
)
fault(
  'an impersonation is worth nothing',
  { trips: ['impersonate.acts-as-record', 'impersonate.static', 'impersonate.ends'] },
  tamper(root, (body) => ({ ...body, token: 'nothing' })),
)
fault(
  'who is missing is impersonated',
  { trips: ['impersonate.missing-record', 'impersonate.missing'] },
  on(root, async (request, next) => {
    const response = await next(request)
    return response.status === 404 ? session('nobody') : response
  }),
)
fault(
  'the duration is ignored',
  { trips: ['impersonate.duration', 'impersonate.duration-invalid'] },
  rewriteBody(root, () => ({})),
)
fault('an impersonation answers 201', { trips: ['impersonate.status'] }, tamperStatus(root, 200, 201))
fault(
  'an impersonation asks for conditions',
  { trips: ['impersonate.no-conditions'] },
  on(root, async (request, next, { table }) =>
    table === 'conf_sealed' || table === 'conf_mfa' ? refusal(403) : next(request),
  ),
)
fault(
  'signed-in guests of a table are refused with 404',
  { trips: ['impersonate.guest'] },
  all(tamperStatus(root, 403, 404), tamperStatus(root, 401, 404)),
)
fault(
  'an empty sign-in is taken',
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
