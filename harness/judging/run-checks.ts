/**
 * Runs planned checks one after the other against a session, and judges the log of all exchanges at the end. Both
 * engines use it: the vitest engine check by check, the fault matrix as a loop.
 *
 * @module
 */

import type { Check } from '../check.ts'
import type { Session } from '../session.ts'
import type { Finding, RunError } from '../vocabulary/findings.ts'
import { statusOf } from './judge.ts'
import { type CheckOutcome, claims, makeFinding, replayCommand, runCheck } from './run-check.ts'

export interface Checking {
  readonly findings: ReadonlyMap<string, Finding>
  readonly errors: readonly RunError[]
  /** Why nothing more is run; undefined while it goes on. */
  readonly ended: CheckOutcome['end'] | 'bail'
  step(check: Check, signal?: AbortSignal): Promise<CheckOutcome>
  /** Judges what the exchanges broke beside the checks; gives the findings that this changes. */
  finish(): Finding[]
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
        ...(signal === undefined ? {} : { signal }),
        ...(options.path === undefined ? {} : { path: options.path }),
      })
      if (outcome.finding !== undefined) findings.set(check.id, outcome.finding)
      if (outcome.error !== undefined) errors.push(outcome.error)
      ended =
        outcome.end ?? (options.bail === true && outcome.finding?.status === 'fail' ? 'bail' : undefined)
      return outcome
    },
    finish() {
      const changed = lateFindings(session, findings)
      for (const finding of changed) findings.set(finding.requirement, finding)
      return changed
    },
  }
}

/** A check may pass while other exchanges broke its requirement: then it does not hold after all. */
function lateFindings(session: Session, findings: ReadonlyMap<string, Finding>): Finding[] {
  const changed: Finding[] = []
  for (const id of session.traffic.broken()) {
    const requirement = session.requirements.get(id)
    const known = findings.get(id)
    const [violation] = session.traffic.violations(id)
    if (requirement === undefined || violation === undefined || known?.status !== 'pass') continue
    const status = statusOf(false, requirement.level, requirement.basis, claims(session, requirement))
    const { message, expected, received, exchange } = violation
    const { seed } = session.options
    changed.push({
      ...makeFinding(
        session,
        requirement,
        { requests: known.requests },
        performance.now(),
        status,
        `${message} (seen during the run)`,
        {
          expected,
          received,
          exchanges: [exchange],
          replay: { seed, path: '', command: replayCommand(session.options, '', '') },
        },
      ),
      ms: known.ms,
    })
  }
  return changed
}
