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
   *
   * @throws Error for failures that no `run()` has thrown: of a check that another one depends on, and those that a later
   *   exchange showed. Its message is what the command reports, its `cause` the report
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

async function openSuite(options: SuiteOptions): Promise<OpenSuite> {
  // One shard: a runner may request any check next.
  const run = await prepareRun({ ...options, bail: false }, { twoShards: false })
  const { prepared, seed, checks, requirements, known, started } = run
  const [assignment] = assignmentsOf(options, prepared, seed, checks, requirements)
  // Imported here, since only this runs checks in the caller's thread: the command does not need it.
  const { RequestedChecks } = await import('./engine/requested-checks.ts')
  const requested = new RequestedChecks(assignment, requirements)
  const thrown = new Set<string>()

  /** A finding as the report shows it. */
  function reported(finding: Finding): Finding {
    const [declared = finding] = withNotApplicable(
      [finding],
      prepared.target.notApplicable ?? {},
      requirements,
    )
    const today = started.toISOString().slice(0, 10)
    return applyBaseline([declared], known, today, () => false).findings[0] ?? finding
  }

  const isBroken = ({ status, known }: Finding) =>
    known === undefined && (status === 'fail' || (status === 'warn' && options.strict === true))
  const textOf = (finding: Finding) => findingLines(finding, createPaint(false)).join('\n').trim()

  return {
    async run(id) {
      const finding = reported(await requested.run(id))
      if (!isBroken(finding)) return finding
      thrown.add(id)
      throw new Error(textOf(finding))
    },
    async close() {
      const result = await requested.end().catch(async (error: unknown) => {
        // The setup is undone all the same. An error of the teardown would only hide this one.
        await run.undo().catch(() => {})
        throw error
      })
      const report = await reportOf(
        { ...run, checks: checks.filter(({ id }) => requested.wasRun(id)) },
        result,
      )
      const late = report.findings.filter((finding) => isBroken(finding) && !thrown.has(finding.requirement))
      if (late.length === 0) return report
      throw new Error(`failures that no test has reported:\n\n${late.map(textOf).join('\n\n')}`, {
        cause: report,
      })
    },
  }
}
