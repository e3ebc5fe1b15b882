/**
 * Faults about a sign-in in two steps: what the first returns, an `otpId` or an `mfaId`, and who the second signs in.
 *
 * @module
 */

import type { FaultTools, Middleware } from '../fault.ts'
import { letIn, tokenIn, withToken } from './auth.ts'
import { type JsonValue, on, parsedBody } from './combinators.ts'

const [PW, OTP, ASK] = ['authWithPassword', 'authWithOtp', 'requestOtp'] as const

/** Remembers which record requested a code, and signs that record in when the code is rejected and `when` holds. */
export function letsInByCode(when: (body: JsonValue, response: Response) => boolean) {
  return (tools: FaultTools): Middleware => {
    const asked = new Map<string, string>()
    const sendRequest = on(ASK, async (request, next) => {
      const { email } = (await parsedBody(request)) ?? {}
      const response = await next(request.clone())
      if (response.ok) asked.set(String(((await response.clone().json()) as JsonValue).otpId), String(email))
      return response
    })(tools)
    const use = on(OTP, async (request, next, { table = '' }) => {
      const body = (await parsedBody(request)) ?? {}
      const response = await next(request.clone())
      const email = asked.get(String(body.otpId))
      if (response.ok || email === undefined || !when(body, response)) return response
      return (await letIn(tools, request, table, `email = "${email}"`)) ?? response
    })(tools)
    return (request, next) => sendRequest(request, (each) => use(each, next))
  }
}

/** Accepts what a step returns as the token of the record that requested it. */
export function takesForToken(
  step: typeof PW | typeof ASK,
  given: 'mfaId' | 'otpId',
  asked: 'identity' | 'email',
) {
  return (tools: FaultTools): Middleware => {
    const owners = new Map<string, { table: string; email: string }>()
    const give = on(step, async (request, next, { table = '' }) => {
      const body = (await parsedBody(request)) ?? {}
      const response = await next(request)
      const handed = ((await response.clone().json()) as JsonValue)[given]
      if (typeof handed === 'string') owners.set(handed, { table, email: String(body[asked]) })
      return response
    })(tools)
    return async (request, next) => {
      const owner = owners.get(tokenIn(request))
      if (owner === undefined) return give(request, next)
      const session = await letIn(tools, request, owner.table, `email = "${owner.email}"`)
      const { token } = ((await session?.json()) ?? {}) as { token?: string }
      return next(await withToken(request, token))
    }
  }
}
