/**
 * The rows of a report about what the document does not say. None of them counts.
 *
 * @module
 */

import { loadGaps } from '../../spec/gaps.ts'
import { heldText } from '../judging/held-text.ts'
import { type ObservedChoice, observedChoices, worthALook } from '../judging/observed.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { differenceOf, factOf, findingRow, plainEntry, type ReportEntry } from './entry.ts'
import type { ReportLimits } from './limits.ts'

/** Choices that are relevant to security. */
export function unspecifiedSecurity({ findings }: RunReport, limits: ReportLimits): ReportEntry[] {
  return worthALook(findings).map((each) => ({
    ...findingRow(each, each.message, limits, [
      { label: 'profile', text: each.statement },
      { label: 'why', text: each.security },
    ]),
    replay: each.replay?.command,
  }))
}

/** Differences from a profile that the target does not claim. */
export function unspecifiedDifferences({ findings, target }: RunReport, limits: ReportLimits): ReportEntry[] {
  if (target.profile !== undefined) return []
  return telling(findings).map((each) =>
    findingRow(each, factOf({ ...each, difference: differenceOf(each) }), limits),
  )
}

/** What the target does, by topic, if it claims no profile. */
export function unspecifiedTopics({ findings, target }: RunReport, limits: ReportLimits): ReportEntry[] {
  if (target.profile !== undefined) return []
  return observedChoices(findings, loadGaps().values()).map((choice) => topicEntry(choice, limits))
}

/** What differs from the profile, what a server's author wants to know first: failures of the server, then statuses. */
function telling(findings: readonly Finding[]): Finding[] {
  const rank = ({ requirement, source, received = '' }: Finding) => {
    if (/^"?5\d\d\b/.test(received)) return 0
    if (/^(?:create|update|delete|view|list|batch)\.status/.test(requirement)) return 1
    return source.startsWith('records.') || source.startsWith('sort.') ? 2 : 3
  }
  return findings
    .filter(({ status, held, security }) => status === 'observed' && !held && security === undefined)
    .sort((one, other) => rank(one) - rank(other))
}

function topicEntry(
  { gap, question, same, other, unknown }: ObservedChoice,
  { differences }: ReportLimits,
): ReportEntry {
  const asked = same.length + other.length
  const all = `${same.length} of ${asked}`
  const word =
    asked === 0
      ? 'not observed'
      : other.length === 0
        ? `${heldText(true)}, ${all}`
        : `${same.length === 0 ? 'different' : 'partly different'}, ${all} ${heldText(true)}`
  const open = unknown.length === 0 || asked === 0 ? '' : `, ${unknown.length} not observed`
  return {
    ...plainEntry(gap, `${word}${open}`),
    statement: question,
    facts: other
      .slice(0, differences)
      .map(({ requirement, observed }) => ({ label: requirement, text: observed })),
    moreFacts: Math.max(0, other.length - differences),
  }
}
