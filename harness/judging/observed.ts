/**
 * How a target fills the gaps of the document: what was observed, gap by gap. Pure.
 *
 * @module
 */

import type { Gap } from '../../spec/vocabulary.ts'
import type { Finding } from '../vocabulary/findings.ts'

/** One gap as a target fills it. */
export interface ObservedChoice {
  gap: string
  question: string
  /** Requirements that the target meets as the standard profile has them. */
  same: string[]
  /** Those that it answers in its own way, with what was seen. */
  other: { requirement: string; observed: string }[]
  /** Those that could not be asked. */
  unknown: string[]
}

/** The gaps that were looked at, in the order of `spec/gaps.yaml`. */
export function observedChoices(findings: readonly Finding[], gaps: Iterable<Gap>): ObservedChoice[] {
  const byGap = new Map<string, Finding[]>()
  for (const finding of findings) {
    if (finding.basis !== 'profile') continue
    byGap.set(finding.source, [...(byGap.get(finding.source) ?? []), finding])
  }
  return [...gaps].flatMap(({ key, question }) => {
    const found = byGap.get(key)
    if (found === undefined) return []
    const answer: ObservedChoice = { gap: key, question, same: [], other: [], unknown: [] }
    for (const finding of found) {
      const { requirement, status, held } = finding
      if (status === 'pass' || (status === 'observed' && held)) answer.same.push(requirement)
      else if (status === 'observed' || status === 'fail' || status === 'warn')
        answer.other.push({ requirement, observed: seen(finding) })
      else answer.unknown.push(requirement)
    }
    return [answer]
  })
}

/**
 * Answers to gaps on which security depends, and that are not the profile's. They count only where the profile is claimed,
 * and everyone should hear of them.
 */
export function worthALook(findings: readonly Finding[]): (Finding & { security: string })[] {
  return findings.flatMap((finding) => {
    const { status, held, security } = finding
    return status === 'observed' && !held && security !== undefined ? [{ ...finding, security }] : []
  })
}

function seen({ message, expected, received }: Finding): string {
  const fact = message.replace(/ \(example [\s\S]*$/, '').replace(/\s+/g, ' ')
  const values = received
    ? ` (${short(received)}${expected ? `; the profile expects ${short(expected)}` : ''})`
    : ''
  return `${fact.slice(0, 200)}${values}`
}

function short(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > 80 ? `${flat.slice(0, 80)}…` : flat
}
