/** Several factors: the response to the first one, and how the second one is sent. */

import {
  all,
  type JsonValue,
  json,
  on,
  parsedBody,
  rewriteBody,
  tamper,
  tamperError,
  tamperStatus,
  withMoreHeaders,
} from '../faults/combinators/combinators.ts'
import { base64url, hex } from '../faults/combinators/emails.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
import { oauth2 } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('factors')

const [PW, OTP] = ['authWithPassword', 'authWithOtp'] as const
const near = [
  'auth.mfa-id',
  'mfa.first-step-no-token',
  'mfa.second-factor',
  'mfa.id-required',
  'mfa.two-different',
  'mfa.other-account',
  'mfa.wrong-first',
  'mfa.wrong-second',
  'mfa.id-no-token',
  'mfa.off',
  'auth.response-token',
  'auth.response-record',
]
const options = { because: 'mfa.second-step', near }

/** The response to a first factor. */
const challenge = (change: (mfaId: unknown) => Response) =>
  on([PW, OTP], async (request, next) => {
    const response = await next(request)
    if (response.status !== 401) return response
    const { mfaId } = (await response.clone().json()) as JsonValue
    return mfaId === undefined ? response : change(mfaId)
  })

for (const status of [200, 202, 300, 400, 403, 409])
  variation(
    `a first factor returns ${status}`,
    options,
    challenge((mfaId) => json(status, { mfaId })),
  )

variation(
  'a first factor returns 200 and the possible next factors',
  options,
  challenge((mfaId) => json(200, { mfaId, methods: ['otp'], expiresIn: 600 })),
)
variation(
  'the error object contains the mfaId',
  options,
  challenge((mfaId) => json(401, { error: { code: 'mfa_required', mfaId } })),
)
variation('an mfaId is a number', options, (tools) => {
  const known: unknown[] = []
  const sent = rewriteBody([PW, OTP], ({ mfaId, ...body }) => ({
    ...body,
    ...(mfaId !== undefined && { mfaId: known[Number(mfaId) - 1_000] ?? 'none' }),
  }))
  return all(
    sent,
    challenge((mfaId) => json(401, { mfaId: known.push(mfaId) + 999 })),
  )(tools)
})
variation(
  'an mfaId is a long string with dots',
  options,
  all(
    on([PW, OTP], async (request, next) => {
      const body = await parsedBody(request)
      if (typeof body?.mfaId !== 'string') return next(request)
      const headers = new Headers(request.headers)
      headers.delete('content-length')
      const sent = JSON.stringify({ ...body, mfaId: body.mfaId.split('.')[1] ?? '' })
      return next(new Request(request.url, { method: 'POST', headers, body: sent }))
    }),
    challenge((mfaId) => json(401, { mfaId: `mfa.${mfaId}.${'x'.repeat(80)}` })),
  ),
)
for (const status of [401, 403, 422])
  variation(
    `an invalid second factor is rejected with ${status}`,
    options,
    tamperStatus([PW, OTP], 400, status),
  )
variation('a second factor returns 201', options, tamperStatus(OTP, 200, 201))
variation(
  'a second factor returns only the token',
  { ...options, near: near.filter((id) => id !== 'auth.response-record') },
  tamper(OTP, ({ token }) => ({ token })),
)
variation('a wrong second factor invalidates the mfaId', options, (tools) => {
  const spent = new Set<unknown>()
  return on([PW, OTP], async (request, next) => {
    const { mfaId } = (await parsedBody(request)) ?? {}
    if (mfaId !== undefined && spent.has(mfaId)) return fieldRejection(400)
    const response = await next(request)
    if (mfaId !== undefined && !response.ok) spent.add(mfaId)
    return response
  })(tools)
})
variation('a new first factor invalidates the previous one', options, (tools) => {
  const newest = new Map<unknown, unknown>()
  const owner = new Map<unknown, unknown>()
  return on([PW, OTP], async (request, next) => {
    const { identity, otpId, mfaId } = (await parsedBody(request)) ?? {}
    if (owner.has(mfaId) && newest.get(owner.get(mfaId)) !== mfaId) return fieldRejection(400)
    const response = await next(request)
    if (response.status !== 401) return response
    const given = ((await response.clone().json()) as JsonValue).mfaId
    newest.set(identity ?? otpId, given)
    owner.set(given, identity ?? otpId)
    return response
  })(tools)
})
variation(
  'the mfaId is sent in a header',
  {
    ...options,
    target: (target) => ({ ...target, binding: { ...target.binding, 'mfa.id': 'header:X-MFA-Id' } }),
  },
  on([PW, OTP], async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const { mfaId: _unread, ...rest } = body
    const mfaId = request.headers.get('x-mfa-id')
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const sent = JSON.stringify(mfaId === null ? rest : { ...rest, mfaId })
    return next(new Request(request.url, { method: 'POST', headers, body: sent }))
  }),
)
variation(
  'the mfaId is sent under another key',
  {
    ...options,
    target: (target) => ({ ...target, binding: { ...target.binding, 'mfa.id': 'challenge' } }),
  },
  on([PW, OTP], async (request, next) => {
    const { mfaId: _unread, challenge: mfaId, ...rest } = (await parsedBody(request)) ?? {}
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const sent = JSON.stringify(mfaId === undefined ? rest : { ...rest, mfaId })
    return next(new Request(request.url, { method: 'POST', headers, body: sent }))
  }),
)
variation(
  'auth-methods does not report mfa',
  {
    ...options,
    near: [...near, 'auth-methods.lists'],
    target: (target) => ({ ...target, capabilities: { ...target.capabilities, mfa: true } }),
  },
  tamper('listAuthMethods', ({ mfa: _left, ...body }) => body),
)
variation(
  'a first factor returns its lifetime',
  options,
  tamperError([PW, OTP], (body) => ('mfaId' in body ? { ...body, expires: '2030-01-01T00:00:00Z' } : body)),
)
variation(
  'a first factor sets a cookie that goes on with the sign-in',
  options,
  on([PW, OTP], async (request, next) => {
    const response = await next(request)
    const cookie = `login=${base64url(40)()}; Path=/; HttpOnly`
    return response.status === 401
      ? withMoreHeaders(response, { 'set-cookie': cookie, 'x-login-state': hex(32)() })
      : response
  }),
)
variation(
  'a wrong first factor returns an mfaId that does not work',
  options,
  on(PW, async (request, next, { table }) => {
    const response = await next(request)
    return response.status === 400 && table === 'conf_mfa' ? json(401, { mfaId: 'a'.repeat(15) }) : response
  }),
)

const throughProvider = ['auth-methods.agrees-oauth2', ...oauth2]
variation(
  'a provider is the first of two factors',
  {
    because: 'mfa.second-step',
    near: ['auth-methods.lists', 'auth-methods.agrees-password', 'oauth2.made-up', ...throughProvider],
    declares: Object.fromEntries(throughProvider.map((id) => [id, 'no provider signs in alone'])),
  },
  all(
    on('authWithOAuth2', async (request, next, { table = '' }) => {
      const response = await next(request)
      return response.ok && table.startsWith('conf_oauth')
        ? json(401, { mfaId: 'provided0000000' })
        : response
    }),
    on('listAuthMethods', async (request, next, { table = '' }) => {
      const response = await next(request)
      if (!response.ok || !table.startsWith('conf_oauth')) return response
      return json(200, { ...((await response.json()) as JsonValue), mfa: { enabled: true, duration: 600 } })
    }),
  ),
)
