/** Defects of sign-in through providers. */

import { andThen, letIn, readsTokens, session, tokenIn } from './combinators/auth.ts'
import {
  another,
  forgive,
  isIdentifier,
  type JsonValue,
  json,
  on,
  rewriteBody,
  tamper,
  tamperRecord,
  tamperStatus,
} from './combinators/combinators.ts'
import { fieldRejection, first } from './combinators/field.ts'
import { fault } from './fault.ts'

const [METHODS, SIGN_IN] = ['listAuthMethods', 'authWithOAuth2'] as const

/** Changes every provider in the response of auth-methods. */
function providers(change: (provider: JsonValue) => JsonValue) {
  return tamper(METHODS, (body) => {
    const oauth2 = body.oauth2 as { providers?: JsonValue[] } | undefined
    return { ...body, oauth2: { ...oauth2, providers: (oauth2?.providers ?? []).map(change) } }
  })
}

fault(
  'auth-methods contains the secret of a provider',
  { trips: ['oauth2.provider-entry', 'account.secrets'] },
  providers((provider) => ({ ...provider, clientSecret: 'shown' })),
)
fault(
  'the challenge is the verifier',
  { trips: ['oauth2.challenge'] },
  providers((provider) => ({ ...provider, codeChallenge: provider.codeVerifier })),
)
fault(
  'every auth-methods response has the same state',
  { trips: ['oauth2.fresh-state'] },
  providers((provider) => ({ ...provider, state: 'state' })),
)
fault(
  'providers do not sign in',
  {
    trips: [
      'oauth2.sign-in',
      'oauth2.status',
      'oauth2.links-email',
      'oauth2.links-caller',
      'oauth2.link-first',
      'auth-methods.agrees-oauth2',
    ],
  },
  on(SIGN_IN, async () => fieldRejection(400)),
)
fault(
  'any code of a provider is accepted',
  {
    trips: [
      'oauth2.made-up',
      'oauth2.code-wrong',
      'oauth2.verifier-wrong',
      'oauth2.provider-unknown',
      'oauth2.carries',
      'oauth2.provider-fails',
      'oauth2.id-token',
      'oauth2.no-subject',
      'oauth2.missing',
      'oauth2.provider-invalid',
      'oauth2.unverified-email',
      'oauth2.create-data-verified',
      'oauth2.second-link',
    ],
  },
  on(SIGN_IN, async (request, next) => {
    const response = await next(request)
    return response.status === 400 ? session('believed') : response
  }),
)
fault(
  'the redirect URL is omitted',
  { trips: ['oauth2.carries'] },
  rewriteBody(SIGN_IN, ({ redirectURL: _left, ...body }) => body),
)
fault(
  'every provider sign-in creates an account',
  { trips: ['oauth2.same-record', 'oauth2.meta', 'oauth2.create-data', 'oauth2.second-link'] },
  on(SIGN_IN, async (request, next, { table }, tools) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { record } = (await response.clone().json()) as { record: { id: string } }
    await tools.asSuperuser(
      another(request, 'DELETE', `${tools.prefix}/collections/${table}/records/${record.id}`),
    )
    return response
  }),
)
fault(
  'every provider sign-in returns the same account',
  { trips: ['oauth2.sign-in', 'oauth2.username-dropped'] },
  (tools) => {
    let one: JsonValue | undefined
    return on(SIGN_IN, async (request, next) => {
      const response = await next(request)
      if (!response.ok) return response
      one ??= (await response.json()) as JsonValue
      return json(200, one)
    })(tools)
  },
)
fault('concurrent provider sign-ins return the same account', { trips: ['oauth2.other-record'] }, (tools) => {
  let underWay: Promise<string> | undefined
  return on(SIGN_IN, async (request, next) => {
    const first = underWay
    const own = next(request).then((response) => response.text())
    underWay ??= own
    const text = await own
    if (underWay === own) underWay = undefined
    const session = JSON.parse((await first) ?? text) as JsonValue
    return json(typeof session.token === 'string' ? 200 : 400, session)
  })(tools)
})
fault('a provider sign-in returns 201', { trips: ['oauth2.status'] }, tamperStatus(SIGN_IN, 200, 201))
fault(
  'a provider sign-in omits meta',
  { trips: ['oauth2.meta', 'oauth2.status', 'oauth2.links-email'] },
  tamper(SIGN_IN, ({ meta: _left, ...body }) => body),
)
fault(
  'usernames of a provider are always stored',
  { trips: ['oauth2.username-dropped'] },
  on(SIGN_IN, async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const body = (await response.json()) as { record: JsonValue; meta: JsonValue }
    return json(200, { ...body, record: { ...body.record, username: body.meta.username } })
  }),
)
fault(
  'mapped fields stay empty',
  { trips: ['oauth2.new-record'] },
  tamperRecord(SIGN_IN, (record) => ({ ...record, name: '' })),
)
fault(
  'createData is ignored',
  { trips: ['oauth2.create-data', 'oauth2.create-data-verified'] },
  rewriteBody(SIGN_IN, ({ createData: _left, ...body }) => body),
)
fault(
  'the signed-in account is not linked',
  { trips: ['oauth2.links-caller'] },
  readsTokens(SIGN_IN, () => undefined),
)
fault(
  'a provider sign-in returns the account of the token',
  { trips: ['oauth2.link-first'] },
  on(SIGN_IN, async (request, next, _match, tools) => {
    if (tokenIn(request) === '') return next(request)
    const refresh = another(request, 'POST', `${tools.prefix}/collections/conf_oauth/auth-refresh`)
    const response = await tools.reference.fetch(refresh)
    return json(200, { ...((await response.json()) as JsonValue), meta: {} })
  }),
)
fault(
  'accounts are not linked by address',
  {
    trips: [
      'oauth2.links-email',
      'oauth2.takeover-safe',
      'oauth2.verified-keeps',
      'oauth2.unverified-email',
      'auth-flow.live-tokens',
    ],
  },
  on(SIGN_IN, async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    const { meta } = (await response.clone().json()) as { meta: JsonValue }
    return meta.isNew === false ? fieldRejection(400) : response
  }),
)
fault(
  'a provider replaces every password',
  { trips: ['oauth2.verified-keeps'] },
  andThen(SIGN_IN, ({ record }) => (record as { id?: string } | undefined)?.id, {
    password: 'replaced by the server',
    passwordConfirm: 'replaced by the server',
  }),
)
fault(
  'providers work where they are disabled',
  { trips: ['oauth2.off', 'auth-methods.agrees-oauth2'] },
  forgive(SIGN_IN, 403, 200, { token: 'x' }),
)
fault(
  'a rejected provider sign-in returns 403',
  {
    trips: [
      'oauth2.missing',
      'oauth2.provider-invalid',
      'oauth2.provider-fails',
      'oauth2.id-token',
      'oauth2.no-subject',
      'oauth2.unverified-email',
      'oauth2.create-data-verified',
      'oauth2.second-link',
    ],
  },
  tamperStatus(SIGN_IN, 400, 403),
)
fault(
  'a disabled provider returns 404',
  { trips: ['oauth2.off'] },
  first(SIGN_IN, (request) => (request.url.includes('conf_members') ? fieldRejection(404) : undefined)),
)
fault(
  'under the identifier of a table, the last person signs in with any code of a provider',
  { trips: ['oauth2.code-wrong', 'oauth2.verifier-wrong'] },
  (tools) => {
    let last: JsonValue | undefined
    return on(SIGN_IN, async (request, next, { table = '' }) => {
      const response = await next(request)
      if (response.ok) last = (await response.clone().json()) as JsonValue
      return !response.ok && isIdentifier(table) && last !== undefined ? json(200, last) : response
    })(tools)
  },
)
fault(
  'an account of a provider is known by its address only',
  { trips: ['oauth2.link-first'] },
  on(SIGN_IN, async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { meta } = (await response.clone().json()) as { meta: JsonValue }
    return (await letIn(tools, request, table, `email = "${meta.email}"`)) ?? response
  }),
)
