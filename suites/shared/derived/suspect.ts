/**
 * Names the request to which an effect is attributed, where several were sent before it was looked for. Pure.
 *
 * @module
 */

import type { DerivedCase } from './case.ts'

/** A request that may not have an effect. */
export interface SentCase {
  derived: DerivedCase
  what: string
  status: number
  isAccepted: boolean
}

/** The last one that was accepted is the likeliest. If there is none, the last one. */
export function suspect(attempts: readonly [SentCase, ...SentCase[]]): {
  derived: DerivedCase
  what: string
} {
  const [first, ...others] = attempts
  const { derived, what, status } =
    attempts.findLast(({ isAccepted }) => isAccepted) ?? attempts.at(-1) ?? first
  const more = others.length === 0 ? '' : ` or another of these ${attempts.length} requests,`
  return { derived, what: `${what}, which returned ${status},${more}` }
}
