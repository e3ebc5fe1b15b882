/**
 * `conformanceTests(options)`: the suite as tests of your own Vitest project, so that watch mode, filters, the editor and
 * reporters work. A `describe` for each section of the document, a `test` for each requirement.
 *
 * @example
 * ```ts
 * import { conformanceTests } from 'record-auth-conformance/vitest'
 *
 * await conformanceTests({ baseUrl: 'http://127.0.0.1:8090' })
 * ```
 *
 * @module
 */

import { afterAll, describe, test } from 'vitest'
import type { ConformanceCheck } from '../harness/conformance-suite.ts'
import { ConfigurationError } from '../harness/errors.ts'
import type { SuiteOptions } from '../harness/generated/run-options.ts'
import { groupedBy } from '../harness/support/grouped-by.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'

/** Options of `conformanceTests`: which target, which checks, and what to print. */
export interface ConformanceTestsOptions extends SuiteOptions {
  /** Prints the verdict after the last test. @default true */
  verdict?: boolean | undefined
}

/** Milliseconds. Longer than the time limit of every check, which reports what took so long. */
const timeout = 600_000

/**
 * Registers the tests. Nothing is sent before the first of them runs; what they create is deleted after the last. A
 * test fails if its requirement fails, and is skipped, with the reason, if nothing can be judged. If the target cannot be
 * used, the first test fails and the others are skipped. The tests of a file run one after the other, since they share
 * the target.
 *
 * @throws ConfigurationError for an unknown option, one that only `runConformance` takes, if the selection matches no
 *   requirement, and if the test environment lacks classes of Node
 *
 * @example
 * ```ts
 * import { conformanceTests } from 'record-auth-conformance/vitest'
 *
 * await conformanceTests({ baseUrl: 'http://127.0.0.1:8090', only: ['list.*'] })
 * ```
 */
export async function conformanceTests(options: ConformanceTestsOptions = {}): Promise<void> {
  const { verdict = true, ...suiteOptions } = options
  expectClassesOfNode(globalThis)
  const { conformanceSuite } = await import('../harness/conformance-suite.ts')
  const suite = await conformanceSuite(suiteOptions)
  let unusable = false
  for (const [title, checks] of byTitle(suite.checks))
    describe(title, () => {
      for (const { id, statement, run } of checks)
        test(`${id}: ${statement}`, { timeout }, async ({ skip }) => {
          // One failed test says what is wrong with the target; hundreds would hide it.
          if (unusable) skip('the target cannot be used: the first failed test says why')
          const { status, message, known } = await run().catch((error: unknown) => {
            unusable ||= error instanceof Error && error.name === 'ConfigurationError'
            throw error
          })
          if (known !== undefined) skip(`known: ${known.reason}`)
          else if (status !== 'pass' && status !== 'warn') skip(`${status}: ${message}`)
        })
    })
  afterAll(async () => {
    const problems: string[] = []
    const report = await suite.close().catch((error: Error) => {
      if (error.cause === undefined) throw error
      problems.push(error.message)
      return error.cause as RunReport
    })
    if (report === undefined) return
    const { name, baseUrl } = report.target
    if (verdict) console.log([`tested: ${name ?? baseUrl}`, ...report.verdict.lines].join('\n'))
    for (const { table, id, reason } of report.leftovers)
      problems.push(`left behind: ${table}/${id}: ${reason}`)
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }, timeout)
}

/**
 * Where an environment for front-end applications runs in a context of its own, it lacks classes of Node. Each check would
 * fail there, as if the server did not conform.
 *
 * @throws ConfigurationError that names the next step
 */
export function expectClassesOfNode(context: Partial<Record<string, unknown>>): void {
  const missing = ['ReadableStream', 'TextDecoder', 'structuredClone', 'fetch', 'AbortController'].find(
    (name) => context[name] === undefined,
  )
  if (missing === undefined) return
  throw new ConfigurationError(
    `this test environment has no ${missing}, which the suite needs`,
    'the environment of this test file, such as jsdom with the pool vmThreads',
    'write `// @vitest-environment node` as the first line of the file',
  )
}

/** In the order of the checks; those about all exchanges come last. */
function byTitle(checks: readonly ConformanceCheck[]): Map<string, ConformanceCheck[]> {
  const order = [...checks.filter(({ last }) => !last), ...checks.filter(({ last }) => last)]
  return groupedBy(order, titleOf)
}

function titleOf({ basis, section, last }: ConformanceCheck): string {
  if (last) return 'every exchange'
  return basis === 'profile' ? `standard profile: ${section}` : `section ${section}`
}
