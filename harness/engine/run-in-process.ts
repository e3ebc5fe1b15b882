/**
 * Runs a list of checks against a target in this process: for the fault matrix and for tests.
 *
 * @module
 */

import type { Check } from '../check.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import type { RunOptions } from '../generated/run-options.ts'
import { type Checking, startChecking } from '../judging/checking.ts'
import { createSession, type SessionParts } from '../session/create-session.ts'
import { smokeCheck } from '../smoke/smoke.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { OtherViolation, RunError, Smoke } from '../vocabulary/report.ts'
import type { Session } from '../vocabulary/session.ts'
import type { Target } from '../vocabulary/target.ts'

export interface InProcessRun {
  findings: Finding[]
  /** The findings of the checks themselves, without other violations in the exchanges. */
  own: Finding[]
  errors: RunError[]
  otherViolations: OtherViolation[]
  ended: Checking['ended']
  requests: number
  session: Session
}

export interface InProcessOptions extends SessionOptions, Pick<RunOptions, 'bail' | 'path' | 'signal'> {
  /** The smoke result of an earlier run on the same kind of target: saves probing again. */
  smoke?: Smoke
  onFinding?: (finding: Finding) => void
}

/** Checks run in the given order; the connection is closed at the end. */
export async function runInProcess(
  checks: readonly Check[],
  target: Target,
  parts: SessionParts,
  options: InProcessOptions,
): Promise<InProcessRun> {
  const session = createSession(target, parts, options)
  try {
    if (options.smoke === undefined) await smokeCheck(session, { creates: true })
    else session.smoke = options.smoke
    const checking = startChecking(session, options)
    for (const check of checks) {
      const { finding } = await checking.step(check, options.signal)
      if (finding !== undefined) options.onFinding?.(finding)
      if (checking.ended !== undefined) break
    }
    await cleanEnd(session)
    const own = [...checking.findings.values()]
    const { otherViolations } = checking.finish()
    const { findings, errors, ended } = checking
    return {
      own,
      findings: [...findings.values()],
      errors: [...errors],
      otherViolations,
      ended,
      requests: session.count.requests,
      session,
    }
  } finally {
    await session.close()
  }
}
