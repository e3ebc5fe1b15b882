/**
 * Runs planned checks one after the other in a session, and judges the log of all exchanges at the end. Used by runs
 * and by the matrices.
 *
 * @module
 */

import type { Check } from '../check.ts'
import type { Finding, Violation } from '../vocabulary/finding.ts'
import type { OtherViolation, RunError } from '../vocabulary/report.ts'
import type { RunSettings, Session } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { type Gated, gate } from './gate.ts'
import { isOverruled } from './is-overruled.ts'
import { linesOf, makeFinding, replayOfCheck, statusIn } from './make-finding.ts'
import { type CheckOutcome, runCheck } from './run-check.ts'
import { seenNote } from './without-notes.ts'

export interface Checking {
  readonly findings: ReadonlyMap<string, Finding>
  readonly errors: readonly RunError[]
  /** Why nothing more is run; undefined if the run continues. */
  readonly ended: CheckOutcome['end'] | 'bail'
  step(check: Check, signal?: AbortSignal): Promise<CheckOutcome>
  /**
   * Judges violations in exchanges outside their own checks: returns the findings that they change, and violations
   * without a finding.
   *
   * @param elsewhere requirements whose checks run in another worker. Only the merge knows whether they have findings,
   *   so they are returned in both lists.
   */
  finish(elsewhere?: ReadonlySet<string>): { late: Finding[]; otherViolations: OtherViolation[] }
}

export interface CheckingOptions {
  bail?: boolean
  path?: string
  /** Findings of the run so far, which the findings of this session join. @default none */
  findings?: Map<string, Finding>
}

export function startChecking(session: Session, options: CheckingOptions = {}): Checking {
  const { findings = new Map<string, Finding>() } = options
  const errors: RunError[] = []
  let ended: Checking['ended']
  return {
    findings,
    errors,
    get ended() {
      return ended
    },
    async step(check, signal) {
      if (ended !== undefined) return {}
      const outcome = await runCheck(check, session, {
        earlier: findings,
        signal,
        path: options.path,
      })
      if (outcome.finding !== undefined) findings.set(check.id, outcome.finding)
      if (outcome.error !== undefined) errors.push(outcome.error)
      ended =
        outcome.end ?? (options.bail === true && outcome.finding?.status === 'fail' ? 'bail' : undefined)
      return outcome
    },
    finish(elsewhere = new Set()) {
      const late: Finding[] = []
      const otherViolations: OtherViolation[] = []
      for (const id of session.traffic.broken()) {
        const known = findings.get(id)
        const [violation] = session.traffic.violations(id)
        if (violation === undefined) continue
        if (known !== undefined) {
          if (isOverruled(known)) late.push(...lateFinding(session, known, violation))
          continue
        }
        if (elsewhere.has(id)) late.push(...lateFinding(session, notRunHere(id), violation))
        if (isReportedToo(session, id)) otherViolations.push(otherViolationOf(session, id, violation))
      }
      for (const finding of late)
        if (findings.has(finding.requirement)) findings.set(finding.requirement, finding)
      return { late, otherViolations }
    },
  }
}

type Checked = Pick<Finding, 'requirement' | 'requests' | 'ms'>

const notRunHere = (requirement: string): Checked => ({ requirement, requests: 0, ms: 0 })

/**
 * An exchange of the run violated the requirement, whatever the result of its check. Otherwise, the responses of a
 * server with limited access (read-only, or without our tables) would never count.
 */
function lateFinding(session: Wire & RunSettings, known: Checked, violation: Violation): Finding[] {
  const requirement = session.requirements.get(known.requirement)
  if (requirement === undefined) return []
  const { message, expected, received, exchange, during } = violation
  // The check of the requirement may have passed: the replay must run the check that sent the request.
  const seenIn = during === requirement.id ? undefined : during
  const finding = makeFinding(session, requirement, {
    status: statusIn(session, requirement, false),
    message: message + seenNote(during),
    sent: known.requests,
    begin: performance.now(),
    expected,
    received,
    seenIn,
    exchanges: session.evidence.take([exchange]),
    replay: replayOfCheck(session.options, requirement.id, seenIn),
  })
  return [{ ...finding, ms: known.ms }]
}

/** Requirements that the target does not claim, or that do not apply, are not reported. */
function isReportedToo(session: Gated & RunSettings, id: string): boolean {
  const requirement = session.requirements.get(id)
  if (requirement === undefined || statusIn(session, requirement, false) === 'observed') return false
  return gate(requirement, session)?.status !== 'not-applicable'
}

/** The verdict is about the selection; other violations are reported separately. */
function otherViolationOf(
  session: Wire & RunSettings,
  requirement: string,
  { message, exchange }: Violation,
): OtherViolation {
  return {
    requirement,
    message: session.redactor.message(message),
    curl: linesOf([exchange], session.options),
  }
}
