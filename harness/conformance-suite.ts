/**
 * `conformanceSuite(options)`: the checks as data, for a test runner that decides which of them to run.
 *
 * @example
 * import { after, test } from 'node:test'
 * import { conformanceSuite } from 'record-auth-conformance'
 *
 * const suite = await conformanceSuite({ target: './target.json' })
 * for (const { id, run } of suite.checks)
 *   test(id, async (t) => {
 *     const { status, message } = await run()
 *     if (status !== 'pass') t.skip(`${status}: ${message}`)
 *   })
 * after(() => suite.close())
 *
 * @module
 */

import { loadRequirements } from '../spec/requirements.ts'
import type { Basis, Level, Requirement } from '../spec/vocabulary.ts'
import { assignmentsOf } from './engine/assignments.ts'
import { CheckQueue } from './engine/check-queue.ts'
import { enter } from './engine/engine.ts'
import { nothingYet, together } from './engine/engine-result.ts'
import { ConfigurationError } from './errors.ts'
import type { SuiteOptions } from './generated/run-options.ts'
import { applyBaseline } from './judging/baseline.ts'
import { withNotApplicable } from './judging/not-applicable.ts'
import { checkSuiteOptions } from './planning/check-run-options.ts'
import { planSelected } from './planning/plan.ts'
import { prepareRun } from './planning/prepare-run.ts'
import { listChecks, type PlannedCheck, runsLast } from './planning/suites.ts'
import { createPaint } from './report/paint.ts'
import { reportOf } from './report/report-of.ts'
import { findingLines } from './report/terminal.ts'
import type { Finding } from './vocabulary/finding.ts'
import type { RunReport } from './vocabulary/report.ts'

/** The check of one requirement. */
export interface ConformanceCheck {
  /** Id of the requirement: `list.total-pages`. */
  id: string
  /** What the requirement says. */
  statement: string
  /** How strict the requirement is. */
  level: Level
  /** Where the requirement comes from. */
  basis: Basis
  /** Section of the document, or the key of the gap that the profile fills. */
  section: string
  /** Whether it is about all exchanges of the run. Run it after the others. */
  last: boolean
  /**
   * Runs the check after those that it depends on; a second call returns the same finding.
   *
   * @returns a finding that is not a failure: unless it passes, `message` says why
   * @throws Error for a failed requirement, for a violated SHOULD with `strict`, and for an error of the run; its
   *   message is what the command reports
   * @throws ConfigurationError if the target cannot be used
   */
  run(): Promise<Finding>
}

/** The checks of a selection, and the function that ends them. */
export interface ConformanceSuite {
  /** The checks. Each is listed after those that it depends on. */
  checks: readonly ConformanceCheck[]
  /**
   * Deletes what the checks created, stops what was started, and returns the report of what was run. Undefined if
   * nothing was: then no check has sent a request.
   */
  close(): Promise<RunReport | undefined>
}

/**
 * The checks of a selection. The target is prepared when the first of them runs.
 *
 * @throws ConfigurationError for an unknown option, one that only `runConformance` takes, and if the selection matches no
 *   requirement
 *
 * @example
 * ```ts
 * import { after, test } from 'node:test'
 * import { conformanceSuite } from 'record-auth-conformance'
 *
 * const suite = await conformanceSuite({ baseUrl: 'http://127.0.0.1:8090' })
 * for (const check of suite.checks)
 *   test(check.id, async () => {
 *     await check.run()
 *   })
 * after(() => suite.close())
 * ```
 */
export async function conformanceSuite(options: SuiteOptions = {}): Promise<ConformanceSuite> {
  checkSuiteOptions(options)
  const requirements = loadRequirements()
  let opened: Promise<OpenSuite> | undefined
  const checks = planSelected(await listChecks(), requirements, options).flatMap((planned) => {
    const requirement = requirements.get(planned.id)
    if (requirement === undefined) return []
    const run = async () => {
      opened ??= openSuite(options)
      return (await opened).run(planned.id)
    }
    return [describedCheck(requirement, planned, run)]
  })
  return {
    checks,
    // Where the target could not be prepared, each check has already thrown the reason.
    close: async () => (await opened?.catch(() => undefined))?.close(),
  }
}

function describedCheck(
  { id, statement, level, basis, sources, gap }: Requirement,
  { suite }: PlannedCheck,
  run: ConformanceCheck['run'],
): ConformanceCheck {
  const section = sources[0]?.section ?? gap ?? ''
  return { id, statement, level, basis, section, last: runsLast(suite), run }
}

interface OpenSuite {
  run(id: string): Promise<Finding>
  close(): Promise<RunReport>
}

/** Settles the result of one check. */
interface Waiting {
  resolve(finding: Finding): void
  reject(error: Error): void
}

async function openSuite(options: SuiteOptions): Promise<OpenSuite> {
  // One shard: a runner may request any check next.
  const run = await prepareRun({ ...options, bail: false }, { twoShards: false })
  const { prepared, seed, checks, requirements, known, started } = run
  const [assignment] = assignmentsOf(options, prepared, seed, checks, requirements)
  // Imported here, since only this runs checks in the caller's thread: the command does not need it.
  const { runAssignment } = await import('./engine/run-assignment.ts')
  const queue = new CheckQueue()
  const stop = new AbortController()
  const part = nothingYet()
  const waiting = new Map<string, Waiting>()
  const outcomes = new Map<string, Promise<Finding>>()
  const places = new Map(checks.map(({ id }, place) => [id, place]))
  let configuration: ConfigurationError | undefined

  const done = runAssignment(
    assignment,
    stop.signal,
    (news) => {
      enter(part, news)
      if (news.configuration !== undefined)
        configuration = new ConfigurationError(
          news.configuration.fact,
          news.configuration.place,
          news.configuration.next,
        )
      if (news.finding !== undefined) waiting.get(news.finding.requirement)?.resolve(news.finding)
      if (news.error !== undefined)
        waiting.get(news.error.place)?.reject(new Error(`${news.error.place}: ${news.error.message}`))
    },
    queue,
  )
  const why = () =>
    configuration ??
    new Error(part.errors.at(-1)?.message ?? 'the run has ended: no more requests are sent to the target')
  // Checks that are still pending will not run.
  const over = done.then(
    () => Promise.reject(why()),
    (error: unknown) => Promise.reject(error),
  )
  over.catch(() => {})

  const outcomeOf = (id: string): Promise<Finding> => {
    const outcome = outcomes.get(id) ?? begin(id)
    outcomes.set(id, outcome)
    return outcome
  }
  const begin = async (id: string): Promise<Finding> => {
    const place = places.get(id) ?? 0
    // Its dependencies decide whether it can be judged.
    for (const earlier of requirements.get(id)?.after ?? [])
      if ((places.get(earlier) ?? place) < place) await outcomeOf(earlier).catch(() => {})
    const outcome = new Promise<Finding>((resolve, reject) => waiting.set(id, { resolve, reject }))
    const check = checks[place]
    if (check !== undefined) queue.add(check)
    const finding = await Promise.race([outcome, over])
    const [declared] = withNotApplicable([finding], prepared.target.notApplicable ?? {}, requirements)
    const today = started.toISOString().slice(0, 10)
    return applyBaseline([declared ?? finding], known, today, () => false).findings[0] ?? finding
  }

  return {
    async run(id) {
      const finding = await outcomeOf(id)
      const { status } = finding
      const isBroken = status === 'fail' || (status === 'warn' && options.strict === true)
      if (isBroken && finding.known === undefined)
        throw new Error(findingLines(finding, createPaint(false)).join('\n').trim())
      return finding
    },
    async close() {
      queue.close()
      try {
        await done
      } catch (error) {
        // The setup is undone all the same. An error of the teardown would only hide this one.
        await run.undo().catch(() => {})
        throw error
      }
      const asWhole = { ...run, checks: checks.filter(({ id }) => outcomes.has(id)) }
      return reportOf(asWhole, together([part]))
    },
  }
}
