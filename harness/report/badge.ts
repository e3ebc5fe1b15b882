/**
 * The verdict as a badge: the JSON of a shields.io endpoint.
 *
 * @module
 */

import type { Outcome, RunReport } from '../vocabulary/findings.ts'

const colors: Record<Outcome, string> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  error: 'lightgrey',
}

export function badgeReport({ verdict }: RunReport): string {
  const { document, outcome } = verdict
  const words: Record<Outcome, string> = {
    conformant: `${document.passed}/${document.counted}`,
    'non-conformant':
      document.failed > 0 ? `${document.failed} of ${document.counted} fail` : 'profile differs',
    incomplete: `incomplete, ${document.passed}/${document.counted}`,
    error: 'not judged',
  }
  const badge = {
    schemaVersion: 1,
    label: 'record-auth conformance',
    message: words[outcome],
    color: colors[outcome],
  }
  return `${JSON.stringify(badge)}\n`
}
