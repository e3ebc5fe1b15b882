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
import { defined } from './defined.ts'
import { runOrders } from './engine/engine.ts'
import { ConfigurationError, messageOf } from './errors.ts'
import { applyBaseline, type KnownEntry } from './judging/baseline.ts'
import { checkDeclared, withDeclared } from './judging/not-applicable.ts'
import { parsePath } from './judging/replay-path.ts'
import { verdictOf } from './judging/verdict.ts'
import { worthTwoLanes } from './lanes.ts'
import { ordersOf } from './orders.ts'
import { ownHeaders } from './own-headers.ts'
import { packageFacts } from './package-facts.ts'
import { planChecks } from './plan.ts'
import { listChecks } from './suites.ts'
import { prepareTarget } from './target/target.ts'
import type { Finding, RunReport, Smoke } from './vocabulary/findings.ts'
import type { RunOptions } from './vocabulary/run.ts'
import type { Target } from './vocabulary/target.ts'

export { ConfigurationError } from './errors.ts'
export type { Finding, RunReport, Verdict } from './vocabulary/findings.ts'
export type { RunEvent, RunOptions } from './vocabulary/run.ts'
export type { Target } from './vocabulary/target.ts'

/**
 * Runs the suite against a target.
 *
 * @throws ConfigurationError when nothing could be judged for a reason on the tester's side (exit code 2)
 */
export async function runConformance(options: RunOptions = {}): Promise<RunReport> {
  const started = new Date()
  const seed = options.seed ?? randomInt(0, 2 ** 31)
  const requirements = loadRequirements()
  const checks = planChecks(await listChecks(), requirements, options)
  if (options.path !== undefined && checks.length !== 1) {
    throw new ConfigurationError(
      `--path replays one check, and ${checks.length} are selected`,
      '--path',
      'add --only with the id of one requirement',
    )
  }
  if (options.path !== undefined) checkReplay(options.path, options.seed)
  ownHeaders(options.headers)
  const known = options.baseline === undefined ? [] : await knownIn(options.baseline, requirements)
  const prepared = await prepareTarget(options, seed, { twin: worthTwoLanes(checks, options) })
  const { target } = prepared
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
  const budget = timeBudget(options.maxTime)
  const undo = onlyOnce(() => prepared.close())
  try {
    checkDeclared(target.notApplicable ?? {}, requirements)
    let done = 0
    const run = await runOrders(
      ordersOf(options, prepared, seed, checks),
      {
        smoke: (smoke) => tell({ kind: 'smoke', smoke: withNotes(smoke, prepared.notes) }),
        finding: (finding) => tell({ kind: 'finding', finding, done: ++done, total: checks.length }),
      },
      eitherSignal(options.signal, budget.signal),
    )
    const {
      errors,
      leftovers,
      foreign,
      unlisted,
      beside,
      requests,
      stopped,
      smoke = nothingSeen,
      sent,
      connections,
    } = run
    const undone = await undo().then(
      () => [],
      (error: unknown) => [
        {
          table: 'setup',
          id: target.name ?? target.baseUrl,
          reason: messageOf(error),
        },
      ],
    )
    const planned = new Set(checks.map(({ id }) => id))
    const today = started.toISOString().slice(0, 10)
    const {
      findings,
      problems,
      known: knownCount,
    } = applyBaseline(
      withDeclared(inOrder(run.findings, checks), target.notApplicable ?? {}, requirements),
      known,
      today,
      (id) => planned.has(id) && !stopped && errors.length === 0,
    )
    const verdict = verdictOf({
      findings,
      errors,
      profile: {
        name: profileName(target),
        claimed: target.profile !== undefined,
        ...defined({ follows: target.follows }),
      },
      strict: options.strict === true,
      stopped,
      problems,
      ...stopReason(options, budget.signal, requests),
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
      leftovers: [...leftovers, ...undone],
      smoke: withNotes(smoke, prepared.notes),
      ...defined({
        strict: options.strict === true ? true : undefined,
        sent,
        connections,
        beside: beside.length === 0 ? undefined : beside,
        foreign: foreign.length === 0 ? undefined : foreign,
        unlisted: unlisted.length === 0 ? undefined : unlisted,
        baseline:
          options.baseline === undefined
            ? undefined
            : { file: options.baseline, known: knownCount, problems },
      }),
    }
  } finally {
    budget.end()
    await undo().catch(() => {})
  }
}

async function knownIn(
  file: string,
  requirements: ReadonlyMap<string, unknown>,
): Promise<readonly KnownEntry[]> {
  const { readBaseline } = await import('./judging/read-baseline.ts')
  return readBaseline(file, [...requirements.keys()])
}

/** Of two lanes neither waits for the other. */
function inOrder(findings: readonly Finding[], checks: readonly { id: string }[]): Finding[] {
  const byId = new Map(findings.map((finding) => [finding.requirement, finding]))
  return checks.flatMap(({ id }) => byId.get(id) ?? [])
}

/** @throws ConfigurationError where another example would be run than the one that was meant */
function checkReplay(path: string, seed: number | undefined): void {
  parsePath(path)
  if (seed !== undefined) return
  throw new ConfigurationError(
    '--path replays an example of one seed, and none is given',
    `--path ${path}`,
    'add --seed with the seed of the run that found it',
  )
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

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => {
    result ??= work()
    return result
  }
}

/** Why a run ended early, where a budget ended it. */
function stopReason(
  { maxTime, maxRequests, signal }: RunOptions,
  budget: AbortSignal,
  requests: number,
): { stopReason?: string } {
  if (signal?.aborted === true) return {}
  if (budget.aborted) return { stopReason: `the time budget of ${maxTime} seconds is used up` }
  if (maxRequests !== undefined && requests >= maxRequests)
    return { stopReason: `the budget of ${maxRequests} requests is used up` }
  return {}
}

function profileName({ profile, follows }: Target): string {
  if (profile === undefined || follows === undefined) return 'standard'
  return profile === 'recommended' ? profile : `"${profile}"`
}

function withNotes(smoke: Smoke, notes: readonly string[]): Smoke {
  return notes.length === 0 ? smoke : { ...smoke, notes: [...notes, ...smoke.notes] }
}

const nothingSeen: Smoke = {
  tables: {},
  missingTables: [],
  actors: [],
  capabilities: {},
  unlocks: [],
  notes: [],
}
