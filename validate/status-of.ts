/**
 * The status of an expectation: a pure function of requirement and claim.
 *
 * @module
 */

import type { Basis, Level } from '../spec/vocabulary.ts'

/**
 * Only a claimed profile counts; a violated SHOULD is a warning; a MAY is informational. See "Read the
 * result" in README.md.
 */
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
