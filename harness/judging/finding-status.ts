/**
 * What the status of a finding means for other findings.
 *
 * @module
 */

import type { Finding, Status } from '../vocabulary/findings.ts'

/** Whether something that builds on this finding can still be judged. */
export function carries(finding: Finding): boolean {
  if (finding.status === 'observed') return finding.held === true
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
