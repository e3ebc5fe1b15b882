/**
 * What the kill matrix says, and how a row of it follows from findings.
 *
 * @module
 */

import type { SuiteCheck } from '../../../harness/planning/suites.ts'
import type { Finding } from '../../../harness/vocabulary/finding.ts'
import type { DeclaredFault } from '../fault.ts'

export interface FaultRow {
  fault: string
  /** Declared checks that saw it. */
  tripped: string[]
  /** Declared checks that did not: status and message of each. */
  missed: string[]
  /** Exceptions of ours on the way. */
  errors: string[]
  ms: number
}

export interface FaultMatrix {
  rows: FaultRow[]
  /** Findings of a healthy reference that are not `pass`: `id: status message`. */
  falseAlarms: string[]
  /** Checks that no fault trips. */
  untripped: string[]
  /** Ids that faults name and that have no check. */
  unknown: string[]
}

/** The checks that a fault declares. Those about every exchange send exchanges of their own. */
export function checksFor(
  { trips }: Pick<DeclaredFault, 'trips'>,
  checks: readonly SuiteCheck[],
): SuiteCheck[] {
  return checks.filter(({ id }) => trips.includes(id))
}

export function faultRow(
  { name, trips }: Pick<DeclaredFault, 'name' | 'trips'>,
  findings: readonly Finding[],
  errors: string[],
  ms: number,
): FaultRow {
  const byId = new Map(findings.map((finding) => [finding.requirement, finding]))
  const tripped = trips.filter((id) => isTripped(byId.get(id)))
  const missed = trips
    .filter((id) => !tripped.includes(id))
    .map((id) => {
      const finding = byId.get(id)
      return finding === undefined ? `${id}: gave no finding` : describedFinding(finding)
    })
  return { fault: name, tripped, missed, errors, ms }
}

/** Findings that a healthy reference must not have. */
export function isFalseAlarm({ status, held }: Finding): boolean {
  return status !== 'pass' && held !== true
}

/** The check saw that the requirement does not hold. Blocked is not enough: it says nothing about the requirement. */
export function isTripped(finding: Finding | undefined): boolean {
  if (finding === undefined) return false
  return (
    finding.status === 'fail' || finding.status === 'warn' || (finding.status === 'observed' && !finding.held)
  )
}

export function describedFinding({ requirement, status, message }: Finding): string {
  return `${requirement}: ${status}${message === '' ? '' : ` ${message.slice(0, 300)}`}`
}
