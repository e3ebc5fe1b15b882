/**
 * What the status of a finding means for other findings.
 *
 * @module
 */

import type { Finding, Status } from '../vocabulary/finding.ts'

/** Whether a check that depends on this finding can still be judged. */
export function allowsDependents(finding: Finding): boolean {
  if (finding.status === 'observed') return finding.held === true
  return finding.status !== 'fail' && finding.status !== 'blocked' && finding.status !== 'warn'
}

/**
 * Statuses that one exchange overrules. `observed` and `not-applicable` findings are never overruled: the profile is
 * not claimed, and a server without batch support may respond to /batch in any way.
 */
const overruled: readonly Status[] = ['pass', 'untestable', 'blocked']

export function isOverruled({ status }: Finding): boolean {
  return overruled.includes(status)
}
