/**
 * `runConformance(options)`: the whole way from a target to a report.
 *
 * @example
 * import { runConformance } from 'record-auth-conformance'
 * const { verdict } = await runConformance({ baseUrl: 'http://127.0.0.1:8090', profile: 'standard' })
 * process.exitCode = verdict.exitCode
 *
 * @module
 */

import { randomInt } from 'node:crypto'
import { loadRequirements } from '../spec/requirements.ts'
import type { Level } from '../spec/vocabulary.ts'
import { runWithVitest } from './engine/vitest-engine.ts'
import { ConfigurationError } from './errors.ts'
import { packageFacts } from './package-facts.ts'
import { planChecks, type Selection } from './plan.ts'
import { loadSuites } from './suites.ts'
import { prepareTarget, type TargetOptions } from './target.ts'
import { verdictOf } from './verdict.ts'
import type { Finding, RunReport, Smoke } from './vocabulary.ts'

export { ConfigurationError } from './errors.ts'
export type { Finding, RunReport, Target, Verdict } from './vocabulary.ts'

/** What happens during a run, for whoever shows it. */
export type RunEvent =
  | {
      kind: 'start'
      name: string
      version: string
      target: string
      baseUrl: string
      seed: number
      checks: number
    }
  | { kind: 'smoke'; smoke: Smoke }
  | { kind: 'finding'; finding: Finding; done: number; total: number }

export interface RunOptions extends TargetOptions, Selection {
  /** The same seed makes the same requests. @default random */
  seed?: number
  /** Factor on the examples of every property. @default 1 */
  runs?: number
  /** Replays one counterexample; needs `only` with one id, and `seed`. */
  path?: string
  /** Milliseconds for one request. @default 10000 */
  timeout?: number
  /** Warnings count like failures. */
  strict?: boolean
  /** Stops after the first failure. */
  bail?: boolean
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Keeps this run's data apart from that of other runs. @default derived from the seed */
  namespace?: string
  level?: Level
  /** Stops the run; what it created is deleted. */
  signal?: AbortSignal
  onEvent?: (event: RunEvent) => void
}

/**
 * Runs the suite against a target.
 *
 * @throws ConfigurationError when nothing could be judged for a reason on the tester's side (exit code 2)
 */
export async function runConformance(options: RunOptions = {}): Promise<RunReport> {
  const started = new Date()
  const seed = options.seed ?? randomInt(0, 2 ** 31)
  const requirements = loadRequirements()
  const checks = planChecks(await loadSuites(), requirements, options)
  if (options.path !== undefined && checks.length !== 1) {
    throw new ConfigurationError(
      `--path replays one check, and ${checks.length} are selected`,
      '--path',
      'add --only with the id of one requirement',
    )
  }
  const { target, close } = await prepareTarget(options, seed)
  const { name, version } = packageFacts()
  const tell = options.onEvent ?? (() => {})
  tell({
    kind: 'start',
    name,
    version,
    target: target.name ?? target.baseUrl,
    baseUrl: target.baseUrl,
    seed,
    checks: checks.length,
  })
  try {
    let done = 0
    const run = await runWithVitest(
      {
        target,
        selection: defined({ only: options.only, skip: options.skip, level: options.level }),
        session: {
          seed,
          ...defined({
            namespace: options.namespace,
            readOnly: options.readOnly,
            runs: options.runs,
            timeout: options.timeout,
            headers: options.headers,
          }),
        },
        bail: options.bail === true,
        ...defined({ path: options.path }),
      },
      {
        smoke: (smoke) => tell({ kind: 'smoke', smoke }),
        finding: (finding) => tell({ kind: 'finding', finding, done: ++done, total: checks.length }),
      },
      options.signal,
    )
    const { findings, errors, leftovers, requests, stopped, smoke = nothingSeen } = run
    const verdict = verdictOf({
      findings,
      errors,
      profile: { name: 'standard', claimed: target.profile !== undefined },
      strict: options.strict === true,
      stopped,
    })
    return {
      suite: { name, version },
      target: { baseUrl: target.baseUrl, ...defined({ name: target.name, profile: target.profile }) },
      seed,
      startedAt: started.toISOString(),
      durationMs: Date.now() - started.getTime(),
      requests,
      verdict,
      findings,
      errors,
      leftovers,
      smoke,
    }
  } finally {
    await close()
  }
}

const nothingSeen: Smoke = {
  tables: {},
  missingTables: [],
  actors: [],
  capabilities: {},
  unlocks: [],
  notes: [],
}

/** Without the keys whose value is undefined. */
function defined<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
