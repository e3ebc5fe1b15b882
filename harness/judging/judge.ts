/**
 * What an expectation's outcome means: one pure function from requirement and claim to status.
 *
 * @module
 */

import type { Basis, Level, Requirement } from '../../spec/vocabulary.ts'
import type { Finding, Status } from '../vocabulary/findings.ts'

/** Message of an `observed` finding whose expectation held. */
export const alike = 'same as the profile'

/** Only a claimed profile counts; a broken SHOULD warns; a MAY only informs. design: "Findings and verdict". */
export function statusOf(held: boolean, level: Level, basis: Basis, claimed: boolean): Status {
  if (basis === 'profile' && !claimed) return 'observed'
  if (held) return 'pass'
  if (level === 'MUST') return 'fail'
  return level === 'SHOULD' ? 'warn' : 'observed'
}

/** Whether something that builds on this finding can still be judged. */
export function carries(finding: Finding): boolean {
  if (finding.status === 'observed') return finding.message === alike
  return finding.status !== 'fail' && finding.status !== 'blocked' && finding.status !== 'warn'
}

/**
 * Findings that one exchange overrules. Who does not claim the profile is observed, whatever was seen; and to what is
 * not applicable nobody is held: who has no batches may answer as it likes where they would be.
 */
const overruled: readonly Status[] = ['pass', 'untestable', 'blocked']

export function isOverruled({ status }: Finding): boolean {
  return overruled.includes(status)
}

/** Where a requirement comes from, as reports cite it: `4.1`, `2.4, 4.1`, or the gap's key. */
export function sourceOf({ sources, gap }: Requirement): string {
  return gap ?? [...new Set(sources.map(({ section }) => section))].join(', ')
}
