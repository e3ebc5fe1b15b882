/**
 * Findings counted by what they are about: the sections of the document, and its operations. Pure.
 *
 * @module
 */

import { documentSections, sectionNumber, sectionTitle } from '../../spec/document-sections.ts'
import { operationPaths } from '../../spec/generated/operations.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'

/** What needs attention first. */
export const urgency: readonly Status[] = [
  'fail',
  'warn',
  'blocked',
  'untestable',
  'observed',
  'not-applicable',
  'pass',
]

/** How often a status occurs. */
export interface StatusCount {
  status: Status
  count: number
}

/** Findings about one thing. */
export interface Tally {
  /** `2.4 lists`, or the id of an operation. */
  name: string
  /** Those that occur, the most urgent first. */
  counts: readonly StatusCount[]
  total: number
}

export function statusCounts(findings: readonly Finding[]): StatusCount[] {
  return urgency.flatMap((status) => {
    const count = findings.filter((finding) => finding.status === status).length
    return count === 0 ? [] : [{ status, count }]
  })
}

/** In the order of the document. Each finding once, by the first section that it cites. */
export function tallySections(findings: readonly Finding[]): Tally[] {
  const bySection = new Map<string, Finding[]>([...documentSections.keys()].map((section) => [section, []]))
  for (const finding of findings) {
    const section = sectionNumber(finding)
    bySection.set(section, [...(bySection.get(section) ?? []), finding])
  }
  return [...bySection].flatMap(([section, found]) =>
    found.length === 0 ? [] : [tally(sectionTitle(section), found)],
  )
}

/** In the order of the API description. A finding about several operations counts for each. */
export function tallyOperations(findings: readonly Finding[]): Tally[] {
  const requirements = loadRequirements()
  return operationPaths.flatMap(({ id }) => {
    const found = findings.filter(({ requirement }) => requirements.get(requirement)?.operations.includes(id))
    return found.length === 0 ? [] : [tally(id, found)]
  })
}

/** `31 pass, 2 fail`. */
export function countsText(counts: readonly StatusCount[]): string {
  return counts.map(({ status, count }) => `${count} ${status}`).join(', ')
}

function tally(name: string, findings: readonly Finding[]): Tally {
  return { name, counts: statusCounts(findings), total: findings.length }
}
