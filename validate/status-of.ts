/**
 * What an expectation's outcome means: one pure function from requirement and claim to status.
 *
 * @module
 */

import type { Basis, Level } from '../spec/vocabulary.ts'

/** Only a claimed profile counts; a broken SHOULD warns; a MAY only informs. design: "Findings and verdict". */
export function statusOf(
  held: boolean,
  level: Level,
  basis: Basis,
  claimed: boolean,
): 'pass' | 'fail' | 'warn' | 'observed' {
  if (basis === 'profile' && !claimed) return 'observed'
  if (held) return 'pass'
  if (level === 'MUST') return 'fail'
  return level === 'SHOULD' ? 'warn' : 'observed'
}
