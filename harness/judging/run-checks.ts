/**
 * Runs planned checks one after the other against a session, and judges the log of all exchanges at the end. A run
 * and the matrices use it alike.
 *
 * @module
 */

import { curlLines } from '../../exchange/curl.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { statusOf } from '../../validate/status-of.ts'
import type { Check } from '../check.ts'
import type { Finding, OtherViolation, RunError, Status, Violation } from '../vocabulary/findings.ts'
import type { Session } from '../vocabulary/session.ts'
import { isOverruled } from './finding-status.ts'
import { gate } from './needs.ts'
import { type CheckOutcome, claims, makeFinding, replayCommand, runCheck } from './run-check.ts'

export interface Checking {
  readonly findings: ReadonlyMap<string, Finding>
  readonly errors: readonly RunError[]
  /** Why nothing more is run; undefined while it goes on. */
  readonly ended: CheckOutcome['end'] | 'bail'
  step(check: Check, signal?: AbortSignal): Promise<CheckOutcome>
  /**
   * Judges what the exchanges broke beside the checks: the findings that this changes, and what has none.
   *
   * @param elsewhere requirements whose checks are run beside these. Only who puts both together knows whether they have
   * findings: they are told both ways.
   */
  finish(elsewhere?: ReadonlySet<string>): { late: Finding[]; beside: OtherViolation[] }
}

export function startChecking(session: Session, options: { bail?: boolean; path?: string } = {}): Checking {
  const findings = new Map<string, Finding>()
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
        known: findings,
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
      const beside: OtherViolation[] = []
      for (const id of session.traffic.broken()) {
        const known = findings.get(id)
        const [violation] = session.traffic.violations(id)
        if (violation === undefined) continue
        if (known !== undefined) {
          if (isOverruled(known)) late.push(...lateFinding(session, known, violation))
          continue
        }
        if (elsewhere.has(id)) late.push(...lateFinding(session, notRunHere(id), violation))
        if (isToldBeside(session, id)) beside.push(besideOf(session, id, violation))
      }
      for (const finding of late)
        if (findings.has(finding.requirement)) findings.set(finding.requirement, finding)
      return { late, beside }
    },
  }
}

type Checked = Pick<Finding, 'requirement' | 'requests' | 'ms'>

const notRunHere = (requirement: string): Checked => ({ requirement, requests: 0, ms: 0 })

/**
 * Whatever became of the check, an exchange of the run broke its requirement. A server of which little can be asked,
 * read-only or without our tables, would otherwise never be held to what it answers.
 */
function lateFinding(session: Session, known: Checked, violation: Violation): Finding[] {
  const requirement = session.requirements.get(known.requirement)
  if (requirement === undefined) return []
  const { message, expected, received, exchange, during } = violation
  // Its own check may have passed: seen again is it where that other check asks.
  const checks = [...new Set([requirement.id, during ?? requirement.id])].join(',')
  const { seed } = session.options
  const finding = makeFinding(
    session,
    requirement,
    { sent: known.requests },
    performance.now(),
    brokenStatus(session, requirement),
    `${message} (${during === undefined ? 'seen before the checks' : `seen in ${during}`})`,
    {
      expected,
      received,
      exchanges: session.evidence.take([exchange]),
      replay: { seed, path: '', command: replayCommand(session.options, checks, '') },
    },
  )
  return [{ ...finding, ms: known.ms }]
}

/** What the target does not claim, or does not have, is nothing to tell of. */
function isToldBeside(session: Session, id: string): boolean {
  const requirement = session.requirements.get(id)
  if (requirement === undefined || brokenStatus(session, requirement) === 'observed') return false
  return gate(requirement, session)?.status !== 'not-applicable'
}

/** The verdict is about what was selected; what else was seen to break is told beside it. */
function besideOf(session: Session, requirement: string, { message, exchange }: Violation): OtherViolation {
  return { requirement, message: session.redactor.message(message), curl: curlLines([exchange]) }
}

function brokenStatus(session: Session, requirement: Requirement): Status {
  return statusOf(false, requirement.level, requirement.basis, claims(session, requirement))
}
