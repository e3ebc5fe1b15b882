/**
 * The verdict as a badge: the JSON of a shields.io endpoint.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/report.ts'
import type { Outcome } from '../vocabulary/verdict.ts'

const colors: Record<Outcome, string> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  error: 'lightgrey',
}

export function badgeReport(report: RunReport): string {
  const { document, outcome } = report.verdict
  const { selection } = report
  const words: Record<Outcome, string> = {
    conformant: `${document.passed}/${document.counted}${partOf(document)}${knownOf(document)}${selection === undefined ? '' : ' of a selection'}`,
    'non-conformant': reasonOf(report),
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

/** A target that declares a part of the document absent must not look like one that has all of it. */
function partOf({ share }: RunReport['verdict']['document']): string {
  if (share === undefined) return ''
  const { operations, requirements } = share
  return operations === undefined
    ? ` of ${requirements.of}`
    : `, ${operations.present} of ${operations.of} operations`
}

/** Nor must one whose failures are known. */
function knownOf({ known = 0 }: RunReport['verdict']['document']): string {
  return known === 0 ? '' : `, ${known} known`
}

/** The most severe reason why the run fails. */
function reasonOf({ verdict: { document, profile }, strict }: RunReport): string {
  if (document.failed > 0) return `${document.failed} of ${document.counted} fail`
  if (profile.failed > 0) return 'profile differs'
  const warned = document.warned + profile.warned
  return strict === true && warned > 0 ? `${warned} warned` : 'baseline is stale'
}
