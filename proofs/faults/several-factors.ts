/** Defects of sign-in with several factors. */

import { byEmail, letIn, lets, recordsWhere, SIGN_INS, tokenIn } from './combinators/auth.ts'
import {
  all,
  dropQuery,
  type JsonValue,
  json,
  on,
  parsedBody,
  tamperError,
  underIdentifier,
  withMoreHeaders,
} from './combinators/combinators.ts'
import { fieldRejection, withObject } from './combinators/field.ts'
import { letsInByCode, takesForToken } from './combinators/two-steps.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

const [PW, OTP] = ['authWithPassword', 'authWithOtp'] as const
/** Whether a table requires two factors. */
const needsTwoFactors = (table: string) => table === 'conf_mfa' || table === 'conf_hasty'

fault(
  'one factor is enough',
  {
    trips: ['auth.mfa-id', 'mfa.challenge', 'auth-flow.live-tokens'],
  },
  lets([401, 400], (body, table) =>
    needsTwoFactors(table) && body.password !== 'wrong password' ? byEmail(body) : undefined,
  ),
)
fault(
  'one factor is enough for accounts that are verified',
  { trips: ['mfa.challenge'] },
  lets([401], (body, table) => (needsTwoFactors(table) ? `${byEmail(body)} && verified = true` : undefined)),
)
fault(
  'the response that asks for a second factor contains a token',
  { trips: ['mfa.first-step-no-token', 'mfa.challenge'] },
  tamperError(PW, (body) => ('mfaId' in body ? { ...body, token: 'x' } : body)),
)
fault(
  'the same factor can be used twice',
  { trips: ['mfa.two-different', 'mfa.same-method'] },
  lets([400], (body, table) => (needsTwoFactors(table) && 'mfaId' in body ? byEmail(body) : undefined)),
)
fault(
  'a second factor is accepted without an mfaId',
  { trips: ['mfa.first-step-no-token', 'mfa.id-required', 'mfa.code-first'] },
  letsInByCode((body, { status }) => !('mfaId' in body) && status === 401),
)
fault(
  'any mfaId is accepted',
  {
    trips: [
      'mfa.other-account',
      'mfa.other-record',
      'mfa.once',
      'mfa.unknown',
      'mfa.expires',
      'mfa.password-ends',
      'mfa.code-consumed',
    ],
  },
  letsInByCode((body, { status }) => 'mfaId' in body && status === 400),
)
fault(
  'second factors are rejected',
  { trips: ['mfa.second-factor', 'mfa.several-open', 'refresh.no-second-factor'] },
  on(OTP, async (request, next) =>
    'mfaId' in ((await parsedBody(request)) ?? {}) ? fieldRejection(400) : next(request),
  ),
)
fault(
  'every account needs two factors',
  { trips: ['mfa.off', 'auth.password-sign-in'] },
  on(PW, async (request, next, { table }) =>
    table === 'conf_members' && tokenIn(request) === ''
      ? json(401, { mfaId: 'x'.repeat(15) })
      : next(request),
  ),
)
fault(
  'a provider alone is enough where two factors are required',
  { trips: ['mfa.first-step-no-token', 'mfa.provider'] },
  on('authWithOAuth2', async (request, next, { table = '' }, tools) => {
    const response = await next(request.clone())
    if (response.status !== 401) return response
    return (await letIn(tools, request, table, 'id != ""')) ?? response
  }),
)
fault(
  'a provider cannot be the second factor',
  { trips: ['mfa.provider'] },
  on('authWithOAuth2', async (request, next) =>
    'mfaId' in ((await parsedBody(request)) ?? {}) ? fieldRejection(400) : next(request),
  ),
)
fault(
  'the password must be the first factor',
  { trips: ['mfa.code-first'] },
  on(OTP, async (request, next, { table }) =>
    table === 'conf_mfa' && !('mfaId' in ((await parsedBody(request)) ?? {}))
      ? fieldRejection(400)
      : next(request),
  ),
)
fault(
  'a password after a code does not sign in',
  { trips: ['mfa.second-factor', 'mfa.code-first'] },
  on(PW, async (request, next) =>
    'mfaId' in ((await parsedBody(request)) ?? {}) ? fieldRejection(400) : next(request),
  ),
)
fault('the mfaId is read from the body only', { trips: ['mfa.in-query'] }, dropQuery(OTP, 'mfaId'))
fault('the response that asks for a second factor has an extra key', { trips: ['mfa.challenge'] }, (tools) =>
  on(PW, async (request, next) => {
    const response = await next(request)
    return response.status === 401
      ? json(401, { ...((await response.json()) as JsonValue), next: 'otp' })
      : response
  })(tools),
)
fault('a new first factor invalidates the previous one', { trips: ['mfa.several-open'] }, (tools) => {
  const newest = new Map<string, string>()
  const owner = new Map<string, string>()
  return on(SIGN_INS, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const email = owner.get(String(body.mfaId))
    if (email !== undefined && newest.get(email) !== body.mfaId) return fieldRejection(400)
    const response = await next(request.clone())
    if (response.status === 401 && typeof body.identity === 'string') {
      const { mfaId } = (await response.clone().json()) as JsonValue
      owner.set(String(mfaId), body.identity)
      newest.set(body.identity, String(mfaId))
    }
    return response
  })(tools)
})
fault(
  'a wrong first factor returns an mfaId',
  { trips: ['mfa.wrong-first-refused'] },
  on(PW, async (request, next, { table }) => {
    const response = await next(request)
    return response.status === 400 && table === 'conf_mfa' ? json(401, { mfaId: 'x'.repeat(15) }) : response
  }),
)
fault(
  'a wrong second factor invalidates the mfaId',
  { trips: ['mfa.wrong-second-refused', 'mfa.same-method', 'mfa.other-record'] },
  (tools) => {
    const spent = new Set<unknown>()
    return on(SIGN_INS, async (request, next) => {
      const { mfaId } = (await parsedBody(request)) ?? {}
      if (mfaId !== undefined && spent.has(mfaId)) return fieldRejection(400)
      const response = await next(request)
      if (mfaId !== undefined && response.status === 400) spent.add(mfaId)
      return response
    })(tools)
  },
)
fault('an mfaId works as a token', { trips: ['mfa.id-no-token'] }, takesForToken(PW, 'mfaId', 'identity'))
fault('a wrong password counts as a first factor', { trips: ['mfa.wrong-first'] }, (tools) => {
  const given = new Map<unknown, string>()
  const first = on(PW, async (request, next, { table }) => {
    const { identity, mfaId: later } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    if (table !== 'conf_mfa' || response.status !== 400 || later !== undefined) return response
    const mfaId = `wrong${String(given.size).padStart(10, '0')}`
    given.set(mfaId, String(identity))
    return json(401, { mfaId })
  })(tools)
  const second = on(OTP, async (request, next, { table = '' }) => {
    const { mfaId, ...body } = (await parsedBody(request)) ?? {}
    const email = given.get(mfaId)
    if (email === undefined) return next(request)
    // Alone the code is a first factor, if it is right.
    const response = await next(withObject(request, body))
    return response.status === 401
      ? ((await letIn(tools, request, table, `email = "${email}"`)) ?? response)
      : response
  })(tools)
  return (request, next) => first(request, (each) => second(each, next))
})
fault(
  'under the identifier of a table, a password is enough where two factors are required',
  { trips: ['mfa.first-step-no-token'] },
  underIdentifier([PW], lets([401], byEmail)),
)
fault('two codes count as two factors', { trips: ['mfa.two-different'] }, (tools) => {
  const byCode = new Set<unknown>()
  const watch = on(OTP, async (request, next) => {
    const response = await next(request)
    if (response.status === 401) byCode.add(((await response.clone().json()) as JsonValue).mfaId)
    return response
  })
  return all(
    letsInByCode(({ mfaId }) => byCode.has(mfaId)),
    watch,
  )(tools)
})
fault('after a code, any password is the second factor', { trips: ['mfa.wrong-second'] }, (tools) => {
  const byCode = new Set<unknown>()
  return on([PW, OTP], async (request, next, { operation, table = '' }) => {
    const body = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (operation === OTP && response.status === 401)
      byCode.add(((await response.clone().json()) as JsonValue).mfaId)
    if (operation === OTP || response.status !== 400 || !byCode.has(body.mfaId)) return response
    return (await letIn(tools, request, table, byEmail(body))) ?? response
  })(tools)
})
fault('an mfaId that was made up stands for the newest one', { trips: ['mfa.id-required'] }, (tools) => {
  const given: string[] = []
  return on([...SIGN_INS], async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const newest = given.at(-1)
    const isMadeUp = typeof body.mfaId === 'string' && !given.includes(body.mfaId)
    const response = await next(
      isMadeUp && newest !== undefined ? withObject(request, { ...body, mfaId: newest }) : request.clone(),
    )
    const { mfaId } = (await response.clone().json()) as JsonValue
    if (typeof mfaId === 'string') given.push(mfaId)
    return response
  })(tools)
})

/** The response to a first factor, with a token of the account. */
const handsOut =
  (
    operation: typeof PW | typeof OTP,
    show: (response: Response, token: string) => Response | Promise<Response>,
  ) =>
  (tools: FaultTools): Middleware => {
    const asked = new Map<unknown, unknown>()
    return on([operation, 'requestOtp'], async (request, next, { operation: done, table = '' }) => {
      const { identity, otpId, email } = (await parsedBody(request)) ?? {}
      const response = await next(request.clone())
      if (done === 'requestOtp') {
        if (response.ok) asked.set(((await response.clone().json()) as JsonValue).otpId, email)
        return response
      }
      if (response.status !== 401 || !needsTwoFactors(table)) return response
      const [account] = await recordsWhere(tools, request, table, `email = "${identity ?? asked.get(otpId)}"`)
      if (account === undefined) return response
      return show(response, await tools.reference.tokenFor(table, String(account.id)))
    })(tools)
  }
for (const [where, show] of [
  [
    'a cookie',
    (response, token) => withMoreHeaders(response, { 'set-cookie': `token=${token}; Path=/; HttpOnly` }),
  ],
  ['a header', (response, token) => withMoreHeaders(response, { authorization: `Bearer ${token}` })],
  [
    'another key of the body',
    async (response, token) => json(401, { ...((await response.json()) as JsonValue), session: token }),
  ],
] as [string, Parameters<typeof handsOut>[1]][])
  fault(
    `the response to the password as a first factor has a token in ${where}`,
    { trips: ['mfa.first-step-no-token'] },
    handsOut(PW, show),
  )
fault(
  'the response to a code as a first factor has a token in a header',
  { trips: ['mfa.first-step-no-token'] },
  handsOut(OTP, (response, token) => withMoreHeaders(response, { 'x-session': token })),
)
