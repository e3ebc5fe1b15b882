/**
 * How often the proof of an email flow counts, and that a newer one ends it. Proofs of the reference name their record.
 *
 * @module
 */

import type { CONFIRMS } from '../../faults/combinators/auth.ts'
import { claimsIn } from '../../faults/combinators/auth.ts'
import { all, another, json, on, parsedBody } from '../../faults/combinators/combinators.ts'
import { rewritesMail } from '../../faults/combinators/emails.ts'
import { fieldRejection } from '../../faults/combinators/field.ts'
import type { Variation } from '../variation.ts'

type Make = Variation['make']
/** The second step of a flow. */
type Confirm = (typeof CONFIRMS)[number]

const recordOf = (proof: unknown) => claimsIn(String(proof))?.id

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
    return all(
      rewritesMail((mail) => {
        if (mail.kind === kindOf[confirm]) newest.set(recordOf(mail.token), mail.token)
        return mail
      }),
      on(confirm, async (request, next) => {
        const { token } = (await parsedBody(request)) ?? {}
        const record = recordOf(token)
        return newest.has(record) && newest.get(record) !== token ? fieldRejection(400) : next(request)
      }),
    )(tools)
  }
}

const kindOf = {
  confirmVerification: 'verification',
  confirmPasswordReset: 'password-reset',
  confirmEmailChange: 'email-change',
} as const satisfies Record<Confirm, string>
