/**
 * Breaches that break nothing, by rule: one line each says why. What is here survives every check and may.
 *
 * @module
 */

import type { Breach } from './breach.ts'

interface Argument {
  /** Told by the name: operation · part · mutation. */
  matches: RegExp
  because: string
}

const argued: readonly Argument[] = [
  {
    matches: /^deleteRecord · .*(done twice|done again after the second)$/,
    because: 'the second delete finds nothing: one delete and two leave the same',
  },
  {
    matches: /^(authRefresh|impersonate) · effect.* · (omitted|done twice)$/,
    because: 'these operations change nothing that a client could read: their tokens are signed, not stored',
  },
]

/** Why a breach breaks nothing; undefined where nobody says so. */
export function argumentFor({ name }: Breach): string | undefined {
  return argued.find(({ matches }) => matches.test(name))?.because
}
