/**
 * What a target does where the document does not say, gap by gap. Pure.
 *
 * @module
 */

import type { Gap } from '../../spec/vocabulary.ts'
import { groupedBy } from '../support/grouped-by.ts'
import type { Finding } from '../vocabulary/finding.ts'

/** One gap as a target fills it. */
export interface ObservedChoice {
  gap: string
  question: string
  /** Requirements of the standard profile that the target meets. */
  same: string[]
  /** Requirements that it does not meet, with what was observed. */
  other: { requirement: string; observed: string }[]
  /** Requirements that could not be checked. */
  unknown: string[]
}

/** The gaps that were checked, in the order of `spec/gaps.yaml`. */
export function observedChoices(findings: readonly Finding[], gaps: Iterable<Gap>): ObservedChoice[] {
  const ofProfile = findings.filter(({ basis }) => basis === 'profile')
  const byGap = groupedBy(ofProfile, ({ source }) => source)
  return [...gaps].flatMap(({ key, question }) => {
    const found = byGap.get(key)
    if (found === undefined) return []
    const choice: ObservedChoice = { gap: key, question, same: [], other: [], unknown: [] }
    for (const finding of found) {
      const { requirement, status, held } = finding
      if (status === 'pass' || (status === 'observed' && held)) choice.same.push(requirement)
      else if (status === 'observed' || status === 'fail' || status === 'warn')
        choice.other.push({ requirement, observed: seen(finding) })
      else choice.unknown.push(requirement)
    }
    return [choice]
  })
}

/**
 * Security-relevant behavior that differs from the profile. They count only if the profile is claimed, but are always
 * reported. What is rejected with another status is as safe.
 */
export function worthALook(findings: readonly Finding[]): (Finding & { security: string })[] {
  return findings.flatMap((finding) => {
    const { status, held, rejected, security } = finding
    if (status !== 'observed' || held || rejected || security === undefined) return []
    return [{ ...finding, security }]
  })
}

function seen({ message, expected, received }: Finding): string {
  const fact = message.replace(/\s+/g, ' ')
  const values = received
    ? ` (${short(received)}${expected ? `; the profile expects ${short(expected)}` : ''})`
    : ''
  return `${fact.slice(0, 200)}${values}`
}

function short(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > 80 ? `${flat.slice(0, 80)}…` : flat
}
