/**
 * `runConformance(options)`: the whole way from a target to a report.
 *
 * @example
 * import { runConformance } from 'record-auth-conformance'
 * const { verdict } = await runConformance({ baseUrl: 'http://127.0.0.1:8090', profile: 'standard' })
 * process.exitCode = verdict.exitCode
 *
 * @module record-auth-conformance
 */

import { assignmentsOf } from './engine/assignments.ts'
import { runAssignments } from './engine/engine.ts'
import type { EngineResult } from './engine/engine-result.ts'
import type { RunOptions } from './generated/run-options.ts'
import { checkRunOptions } from './planning/check-run-options.ts'
import { prepareRun } from './planning/prepare-run.ts'
import { reportOf, withNotes } from './report/report-of.ts'
import { packageFacts } from './support/package-facts.ts'
import type { Status } from './vocabulary/finding.ts'
import type { RunReport } from './vocabulary/report.ts'
import type { Target } from './vocabulary/target.ts'

export type { Exchange, RecordedMessage } from '../exchange/exchange.ts'
export type { Basis, Binding, Grade, KeyAction, Level, OperationId } from '../spec/vocabulary.ts'
export {
  type ConformanceCheck,
  type ConformanceSuite,
  conformanceSuite,
} from './conformance-suite.ts'
export { ConfigurationError } from './errors.ts'
export type { RunOptions, SuiteOptions } from './generated/run-options.ts'
export type { Examples, Finding, KnownFailure, Replay, Status } from './vocabulary/finding.ts'
export type {
  Leftover,
  OtherViolation,
  RunError,
  RunReport,
  Smoke,
  TrafficCount,
  Unlisted,
} from './vocabulary/report.ts'
export type { RunEvent } from './vocabulary/run.ts'
export type {
  Credential,
  MailHabits,
  QueryPart,
  ServicePorts,
  TableRef,
  Target,
} from './vocabulary/target.ts'
export type { BasisCount, GradeCounts, Outcome, Share, Verdict } from './vocabulary/verdict.ts'

/**
 * Runs the suite against a target.
 *
 * @throws ConfigurationError when nothing could be judged for a reason on the tester's side (exit code 2)
 *
 * @example
 * ```ts
 * import { runConformance } from 'record-auth-conformance'
 *
 * const { verdict } = await runConformance({ baseUrl: 'http://127.0.0.1:8090', profile: 'standard' })
 * console.log(verdict.lines.join('\n'))
 * process.exitCode = verdict.exitCode
 * ```
 */
export async function runConformance(options: RunOptions = {}): Promise<RunReport> {
  checkRunOptions(options)
  const run = await prepareRun(options)
  const { prepared, seed, checks } = run
  const { target } = prepared
  const { name, version } = packageFacts()
  const tell = options.onEvent ?? (() => {})
  const budget = timeBudget(options.maxTime)
  try {
    tell({
      kind: 'start',
      name,
      version,
      target: target.name ?? target.baseUrl,
      baseUrl: target.baseUrl,
      seed,
      checks: checks.length,
    })
    const told = new Map<string, Status>()
    const result = await runAssignments(
      assignmentsOf(options, prepared, seed, checks, run.requirements),
      {
        smoke: (smoke) => tell({ kind: 'smoke', smoke: withNotes(smoke, prepared.notes) }),
        finding: (finding) => {
          told.set(finding.requirement, finding.status)
          tell({ kind: 'finding', finding, done: told.size, total: checks.length })
        },
      },
      eitherSignal(options.signal, budget.signal),
      prepared.threads,
    )
    const report = await reportOf(run, result, stopReason(options, budget.signal, result, target))
    const findings = report.findings.filter(({ requirement, status }) => told.get(requirement) !== status)
    if (findings.length > 0) tell({ kind: 'changed', findings, done: told.size, total: checks.length })
    return report
  } finally {
    budget.end()
    await run.undo().catch(() => {})
  }
}

/** Aborts when the seconds are over. */
function timeBudget(seconds: number | undefined): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const timer = seconds === undefined ? undefined : setTimeout(() => controller.abort(), seconds * 1000)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

function eitherSignal(one: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return one === undefined ? other : AbortSignal.any([one, other])
}

/** Why a run ended early, where a budget ended it. */
function stopReason(
  { maxTime, maxRequests, signal }: RunOptions,
  budget: AbortSignal,
  { requests, findings }: EngineResult,
  { baseUrl, bare }: Target,
): { stopReason?: string } {
  if (signal?.aborted === true) return {}
  const limit = budget.aborted
    ? `${maxTime} seconds (--max-time)`
    : maxRequests !== undefined && requests >= maxRequests
      ? `${maxRequests} requests (--max-requests)`
      : undefined
  if (limit === undefined) return {}
  const reached = `the limit of ${limit} was reached`
  if (findings.length > 0) return { stopReason: reached }
  const next =
    bare === undefined
      ? 'use a higher limit'
      : `exploring the server took all of it. Use a higher limit, or save what \`conformance init --base-url ${baseUrl}\` finds in a target file: a run with it explores less`
  return { stopReason: `${reached} before the first check: ${next}` }
}
