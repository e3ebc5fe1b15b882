/** Refresh, impersonation and sign-in through a provider: their responses are left open. */

import { claimsIn, hasAccountToken, letIn, tokenIn, withToken } from '../faults/combinators/auth.ts'
import {
  all,
  another,
  type JsonValue,
  json,
  on,
  tamper,
  tamperStatus,
} from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import type { FaultTools, Middleware } from '../faults/fault.ts'
import { nearOperation, oauth2 } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('sessions')

type Make = (tools: FaultTools) => Middleware

const GIVES = ['authRefresh', 'authWithOtp', 'authWithOAuth2', 'impersonate'] as const
const refresh = [
  'refresh.extends',
  'refresh.same-record',
  'refresh.session-required',
  'refresh.table-by-id',
  'token.others-spared',
  'auth.token-repeats',
  'auth.deleted-ends-session',
  'auth.sessions-side-by-side',
  'auth.sequences',
  'refresh.outlives',
]
const impersonate = [
  'impersonate.acts-as-record',
  'impersonate.no-more-than-record',
  'impersonate.table-by-id',
  'impersonate.superuser-only',
  'impersonate.api-key-refused',
  'impersonate.missing-record',
]
const providers = [...oauth2, 'auth-methods.agrees-oauth2']
const otp = ['otp.sign-in', 'mfa.second-factor']
const every = { because: 'auth.payloads', near: [...refresh, ...impersonate, ...providers, ...otp] }
const noRecord = {
  'oauth2.same-record': 'no record is shown',
  'oauth2.other-record': 'no record is shown',
  'oauth2.table-by-id': 'no record is shown',
}

variation(
  'sign-ins return only a token, wrapped',
  { ...every, declares: noRecord },
  tamper(GIVES, ({ token }) => ({ session: { token } })),
)
variation(
  'sign-ins return a token under another name',
  { ...every, declares: noRecord },
  all(
    tamper(GIVES, ({ token }) => ({ jwt: token })),
    tamper('requestOtp', ({ otpId }) => ({ otpId, sent: true })),
  ),
)
/** Forms in which a session is found: what these operations return is left open. */
const sessionForms: readonly [words: string, form: (body: JsonValue) => unknown][] = [
  ['in data', (data) => ({ data })],
  ['in a list of one', (body) => [body]],
  ['with other key names', (body) => ({ ...body, expiresIn: 3600, tokenType: 'session', user: null })],
  [
    'with the record as a string',
    ({ token, record }) => ({ token, record: (record as JsonValue | undefined)?.id }),
  ],
]
const reason = 'the response shows no record, and a provider returns nothing about the account'
const noAccount = {
  'oauth2.table-by-id': reason,
  'oauth2.same-record': reason,
  'oauth2.other-record': reason,
}
for (const operation of GIVES)
  for (const [words, form] of sessionForms)
    variation(
      `${operation} returns its session ${words}`,
      {
        because: 'auth.payloads',
        near: nearOperation[operation],
        ...(operation === 'authWithOAuth2' &&
          words === 'with the record as a string' && { declares: noAccount }),
      },
      tamper(operation, form),
    )
variation('sign-ins return 201', { ...every, because: 'auth.statuses' }, tamperStatus(GIVES, 200, 201))

variation(
  'a refresh returns only the token',
  { because: 'auth.payloads', near: [...refresh, 'auth.response-token'] },
  tamper('authRefresh', ({ token }) => ({ token })),
)

for (const status of [400, 411, 415])
  variation(
    `a refresh and an impersonation without a JSON body are rejected with ${status}`,
    {
      because: 'auth.payloads',
      near: [...refresh, ...impersonate, 'auth.token-as-is', 'derived.refresh-proof'],
    },
    on(['authRefresh', 'impersonate'], async (request, next) => {
      const text = await request.clone().text()
      return text === '' ? fieldRejection(status) : next(request)
    }),
  )

/** After a refresh, the old token is silently replaced by the new one in later requests. */
const inPlace: Make = () => {
  const newest = new Map<string, string>()
  return async (request, next) => {
    const token = tokenIn(request)
    const longer = newest.get(token)
    const response = await next(longer === undefined ? request : await withToken(request, longer))
    if (!response.ok || !/auth-refresh$/.test(request.url)) return response
    newest.set(token, ((await response.json()) as { token: string }).token)
    return new Response(null, { status: 204 })
  }
}
variation(
  'a refresh extends the session and returns no body',
  { because: 'auth.payloads', near: refresh },
  inPlace,
)

const onceRefreshed: Make = () => {
  const spent = new Set<string>()
  return async (request, next) => {
    const token = tokenIn(request)
    if (spent.has(token)) return fieldRejection(401)
    const response = await next(request)
    if (response.ok && /auth-refresh$/.test(request.url)) {
      const { token: given } = (await response.clone().json()) as { token: string }
      if (given !== token) spent.add(token)
    }
    return response
  }
}
const goingOn = [
  'derived.auth-with-password',
  'derived.auth-refresh',
  'derived.request-otp',
  'derived.request-email-change',
  'derived.confirm-password-reset',
]
variation(
  'a refresh invalidates the previous token',
  {
    because: 'tokens.lifetime',
    near: [
      ...refresh.filter((id) => !/same-record|token-repeats/.test(id)),
      // Their checks look again and again whether a session goes on.
      ...goingOn,
    ],
  },
  onceRefreshed,
)
/** A request with the same token, whatever the method. */
const asPost = (request: Request) =>
  new Request(request.url, { method: 'POST', headers: request.headers, body: '{}' })
variation(
  'a refresh is taken with any method, and invalidates the previous token',
  { because: 'auth.payloads', near: ['derived.auth-refresh'], runs: 10 },
  (tools) => {
    const refresh = onceRefreshed(tools)
    return (request, next) =>
      refresh(
        /auth-refresh$/.test(request.url) && request.method !== 'POST' ? asPost(request) : request,
        next,
      )
  },
)
for (const status of [400, 403, 404, 200])
  variation(
    `a refresh without a session returns ${status}`,
    { because: 'auth.statuses', near: [...refresh, 'auth.no-token', 'auth.token-altered'] },
    on('authRefresh', async (request, next) => {
      const response = await next(request)
      if (response.ok) return response
      return status === 200 ? json(200, { user: null }) : fieldRejection(status)
    }),
  )

variation(
  'a refresh that is rejected returns 200 and why: no token, or an unknown one',
  {
    because: 'auth.statuses',
    near: [...refresh, 'auth.no-token', 'auth.token-altered', 'auth.deleted-ends-session'],
  },
  on('authRefresh', async (request, next) => {
    const response = await next(request)
    if (response.ok) return response
    const error = request.headers.has('authorization') ? 'This token is not known.' : 'Sign in first.'
    return json(200, { ok: false, error })
  }),
)

/** A sign-in ends the earlier sessions of the same record. */
const oneSession: Make = () => {
  const current = new Map<unknown, string>()
  return async (request, next) => {
    const token = tokenIn(request)
    const { id, collectionId } = claimsIn(token) ?? {}
    const newest = current.get(id)
    const ended = newest !== undefined && newest !== token && /^conf_/.test(String(collectionId))
    if (ended) return fieldRejection(401)
    const response = await next(request)
    if (!response.ok || !/auth-(with|refresh)|impersonate/.test(request.url)) return response
    const { token: given, record } = (await response.clone().json()) as { token?: string; record?: JsonValue }
    if (given !== undefined) current.set(record?.id, given)
    return response
  }
}
variation(
  'an account has one session at a time',
  {
    because: 'tokens.lifetime',
    near: [
      'auth-record.common-fields',
      'auth-record.email',
      'auth-record.verified',
      'auth-record.verified-not-claimed',
      'auth.password-sign-in',
      'auth.sequences',
      'auth.token-header',
      'auth.token-own-record',
      'auth.token-repeats',
      'refresh.extends',
      'refresh.same-record',
      'flow.request-changes-nothing',
      'flow.own-step-only',
      'email-change.confirms',
      'email-change.proof-required',
      'impersonate.superuser-only',
      'password-reset.old-ends',
      'impersonate.acts-as-record',
      ...goingOn,
    ],
    declares: { 'auth.sessions-side-by-side': 'the second session ends the first' },
  },
  oneSession,
)

for (const status of [400, 401, 403, 410, 422])
  variation(
    `impersonating a missing account returns ${status}`,
    { because: 'auth.statuses', near: impersonate },
    tamperStatus('impersonate', 404, status),
  )
for (const status of [400, 404])
  variation(
    `an impersonation without permission is rejected with ${status}`,
    { because: 'auth.statuses', near: impersonate },
    all(tamperStatus('impersonate', 403, status), tamperStatus('impersonate', 401, status)),
  )
variation(
  'an impersonation without permission returns 200 without a body',
  { because: 'auth.statuses', near: impersonate },
  on('impersonate', async (request, next) => {
    const response = await next(request)
    return response.status === 403 || response.status === 401 ? json(200, { impersonated: false }) : response
  }),
)

for (const status of [401, 403, 404, 422, 502])
  variation(
    `a provider sign-in is rejected with ${status}`,
    {
      because: 'auth.statuses',
      near: providers,
      declares: status < 500 ? {} : { 'wire.no-5xx': 'an error of the server is always reported' },
    },
    all(tamperStatus('authWithOAuth2', 400, status), tamperStatus('authWithOAuth2', 403, status)),
  )
variation(
  'a provider sign-in reports that the account is new',
  { because: 'oauth2.fields', near: providers },
  tamper('authWithOAuth2', ({ meta: _left, ...body }) => ({ ...body, isNew: true })),
)
const providersIn = (body: JsonValue) =>
  ((body.oauth2 as JsonValue | undefined)?.providers as JsonValue[] | undefined) ?? []
variation(
  'providers are a list with another name for their URL',
  { because: 'oauth2.fields', near: providers },
  tamper('listAuthMethods', (body) => ({
    ...body,
    oauth2: providersIn(body).map((each) => ({
      provider: each.name,
      authorization_url: each.authURL,
      code_verifier: each.codeVerifier,
    })),
  })),
)
variation(
  'the client creates the verifier',
  { because: 'oauth2.fields', near: providers },
  tamper('listAuthMethods', (body) => ({
    ...body,
    oauth2: providersIn(body).map(({ name, authURL }) => {
      const url = new URL(String(authURL))
      for (const key of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(key)
      return { id: name, url: url.href }
    }),
  })),
)
variation(
  'one of two tables has no refresh',
  {
    because: 'auth.statuses',
    near: ['api-key.revocation-spares-sessions', 'auth.own-table-only', 'token.other-kind'],
  },
  on('authRefresh', async (request, next, { table = '' }) =>
    /^conf_staff/.test(table) ? fieldRejection(404) : next(request),
  ),
)

const bySessions = [
  ...refresh,
  'refresh.table-by-id',
  'auth.own-answer',
  'derived.auth-refresh',
  'derived.request-email-change',
  'derived.confirm-password-reset',
]
variation(
  'sessions are not refreshed, as auth-methods reports',
  {
    because: '5 item 4',
    near: [...bySessions, 'derived.auth-with-password', 'derived.request-otp', 'auth-methods.lists'],
    alone: 'many other checks look whether a session goes on',
    declares: Object.fromEntries(bySessions.map((id) => [id, 'nothing shows whether a session goes on'])),
  },
  all(
    tamper('listAuthMethods', (body) => ({ ...body, refresh: { enabled: false } })),
    on('authRefresh', async (request, next) =>
      hasAccountToken(request) || tokenIn(request) === '' ? fieldRejection(403) : next(request),
    ),
  ),
)
variation(
  'a refresh under another auth table continues the session of its own',
  { because: '4.2 row POST auth-refresh', near: refresh },
  on('authRefresh', async (request, next, { table = '' }, { prefix }) => {
    const own = String(claimsIn(tokenIn(request))?.collectionId)
    if (!hasAccountToken(request) || own === table || own === `${table}_0001`) return next(request)
    return next(another(request, 'POST', `${prefix}/collections/${own}/auth-refresh`))
  }),
)
variation(
  'an account of a provider is known by its address only',
  { because: '4.2 row POST auth-with-oauth2', near: providers },
  on('authWithOAuth2', async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { meta } = (await response.clone().json()) as { meta: JsonValue }
    return (await letIn(tools, request, table, `email = "${meta.email}"`)) ?? response
  }),
)
