/** Defects of sign-in through providers. */

import { andThen, readsTokens, session, tokenIn } from './combinators/auth.ts'
import {
  another,
  forgive,
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
  'providers show their secret',
  { trips: ['oauth2.provider-entry', 'account.secrets'] },
  providers((provider) => ({ ...provider, clientSecret: 'shown' })),
)
fault(
  'the challenge is the verifier',
  { trips: ['oauth2.challenge'] },
  providers((provider) => ({ ...provider, codeChallenge: provider.codeVerifier })),
)
fault(
  'every report has one state',
  { trips: ['oauth2.fresh-state'] },
  providers((provider) => ({ ...provider, state: 'state' })),
)
fault(
  'providers sign nobody in',
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
  'whatever a provider says signs in',
  {
    trips: [
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
  'the redirect URL is left out',
  { trips: ['oauth2.carries'] },
  rewriteBody(SIGN_IN, ({ redirectURL: _left, ...body }) => body),
)
fault(
  'accounts are forgotten',
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
fault('all accounts are one', { trips: ['oauth2.other-record', 'oauth2.username-dropped'] }, (tools) => {
  let one: JsonValue | undefined
  return on(SIGN_IN, async (request, next) => {
    const response = await next(request)
    if (!response.ok) return response
    one ??= (await response.json()) as JsonValue
    return json(200, one)
  })(tools)
})
fault('a provider sign-in answers 201', { trips: ['oauth2.status'] }, tamperStatus(SIGN_IN, 200, 201))
fault(
  'nothing is told of the provider',
  { trips: ['oauth2.meta', 'oauth2.status', 'oauth2.links-email'] },
  tamper(SIGN_IN, ({ meta: _left, ...body }) => body),
)
fault(
  'user names are taken as they come',
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
  'who asks is not linked',
  { trips: ['oauth2.links-caller'] },
  readsTokens(SIGN_IN, () => undefined),
)
fault(
  'who asks is signed in',
  { trips: ['oauth2.link-first'] },
  on(SIGN_IN, async (request, next, _match, tools) => {
    if (tokenIn(request) === '') return next(request)
    const refresh = another(request, 'POST', `${tools.prefix}/collections/conf_oauth/auth-refresh`)
    const response = await tools.reference.fetch(refresh)
    return json(200, { ...((await response.json()) as JsonValue), meta: {} })
  }),
)
fault(
  'addresses are not linked',
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
  'providers are taken where they are off',
  { trips: ['oauth2.off', 'auth-methods.agrees-oauth2'] },
  forgive(SIGN_IN, 403, 200, { token: 'x' }),
)
fault(
  'a refused provider is forbidden',
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
  'oauth2.off is 404',
  { trips: ['oauth2.off'] },
  first(SIGN_IN, (request) => (request.url.includes('conf_members') ? fieldRejection(404) : undefined)),
)
