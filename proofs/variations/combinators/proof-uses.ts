/**
 * How often the proof of an email flow counts, and what ends it early. Proofs of the reference name their record.
 *
 * @module
 */

import type { CONFIRMS } from '../../faults/combinators/auth.ts'
import { readClaims } from '../../faults/combinators/auth.ts'
import { all, another, type JsonValue, json, on, parsedBody } from '../../faults/combinators/combinators.ts'
import { rewritesMail } from '../../faults/combinators/emails.ts'
import { fieldRejection } from '../../faults/combinators/field.ts'
import type { Variation } from '../variation.ts'

type Make = Variation['make']
/** The second step of a flow. */
type Confirm = (typeof CONFIRMS)[number]

const recordOf = (proof: unknown) => readClaims(String(proof))?.id

/** A proof that was accepted is accepted again, to the same effect. */
export function countsTwice(confirm: Confirm): Make {
  return (tools) => {
    const accepted = new Set<unknown>()
    return on(confirm, async (request, next, { table }) => {
      const { token, password, passwordConfirm } = (await parsedBody(request)) ?? {}
      const response = await next(request)
      if (response.ok) accepted.add(token)
      if (response.ok || !accepted.has(token)) return response
      if (confirm !== 'confirmPasswordReset') return json(204)
      const path = `${tools.prefix}/collections/${table}/records/${recordOf(token)}`
      const again = await tools.asSuperuser(another(request, 'PATCH', path, { password, passwordConfirm }))
      return again.ok ? json(204) : response
    })(tools)
  }
}

/** A proof ends when a newer one of its kind is sent for the same record. */
export function endsWithNewer(confirm: Confirm): Make {
  return (tools) => {
    const newest = new Map<unknown, unknown>()
    return rejecting(confirm, newest, (proof) => newest.get(recordOf(proof)) !== proof)(tools)
  }
}

/** A proof ends when its record signs in. */
export function endsWithSignIn(confirm: Confirm): Make {
  return (tools) => {
    const [open, ended] = [new Map<unknown, unknown>(), new Set<unknown>()]
    return all(
      on('authWithPassword', async (request, next) => {
        const response = await next(request)
        if (!response.ok) return response
        const { record } = (await response.clone().json()) as { record?: JsonValue }
        ended.add(open.get(record?.id))
        return response
      }),
      rejecting(confirm, open, (proof) => ended.has(proof)),
    )(tools)
  }
}

/** Notes the newest proof of each record, and rejects those that have ended. */
function rejecting(
  confirm: Confirm,
  newest: Map<unknown, unknown>,
  hasEnded: (proof: unknown) => boolean,
): Make {
  return all(
    rewritesMail((mail) => {
      if (mail.kind === kindOf[confirm]) newest.set(recordOf(mail.token), mail.token)
      return mail
    }),
    on(confirm, async (request, next) => {
      const { token } = (await parsedBody(request)) ?? {}
      return newest.has(recordOf(token)) && hasEnded(token) ? fieldRejection(400) : next(request)
    }),
  )
}

const kindOf = {
  confirmVerification: 'verification',
  confirmPasswordReset: 'password-reset',
  confirmEmailChange: 'email-change',
} as const satisfies Record<Confirm, string>
