/**
 * Prepares a run before its first request: selects the checks, the seed and the target.
 *
 * @module
 */

import { randomInt } from 'node:crypto'
import { loadRequirements } from '../../spec/requirements.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { worthTwoShards } from '../engine/assignments.ts'
import { ConfigurationError } from '../errors.ts'
import type { RunOptions } from '../generated/run-options.ts'
import type { KnownEntry } from '../judging/baseline.ts'
import { checkNotApplicable } from '../judging/not-applicable.ts'
import { parsePath } from '../judging/replay-path.ts'
import { expectNode } from '../support/expect-node.ts'
import { prepareTarget } from '../target/prepare-target.ts'
import type { PreparedTarget } from '../vocabulary/target.ts'
import { configuredHeaders } from '../wire/configured-headers.ts'
import { planSelected } from './plan.ts'
import { listChecks, type PlannedCheck } from './suites.ts'

export interface PreparedRun {
  options: RunOptions
  started: Date
  seed: number
  requirements: ReadonlyMap<string, Requirement>
  /** In this order, each after those that it depends on. */
  checks: readonly PlannedCheck[]
  /** Entries of the baseline. */
  known: readonly KnownEntry[]
  prepared: PreparedTarget
  /** Undoes the setup and stops the services, once. @throws what the teardown throws */
  undo(): Promise<void>
}

/**
 * @param twoShards whether the embedded reference may be started twice. @default if that is faster
 * @throws ConfigurationError for invalid options, and for a target that cannot be prepared
 */
export async function prepareRun(
  options: RunOptions,
  { twoShards }: { twoShards?: boolean } = {},
): Promise<PreparedRun> {
  // Before the first of its threads.
  expectNode()
  const started = new Date()
  const seed = options.seed ?? randomInt(0, 2 ** 31)
  const requirements = loadRequirements()
  const checks = planSelected(await listChecks(), requirements, options)
  if (options.path !== undefined && checks.length !== 1) {
    throw new ConfigurationError(
      `--path replays one check, but ${checks.length} are selected`,
      '--path',
      'add --only with the id of one requirement',
    )
  }
  if (options.path !== undefined) checkReplay(options.path, options.seed)
  configuredHeaders(options.headers)
  const known = options.baseline === undefined ? [] : await knownIn(options.baseline, requirements)
  const prepared = await prepareTarget(options, seed, {
    twoShards: twoShards ?? worthTwoShards(checks, requirements, options),
  })
  const undo = onlyOnce(() => prepared.close())
  try {
    checkNotApplicable(prepared.target.notApplicable ?? {}, requirements)
  } catch (error) {
    await undo().catch(() => {})
    throw error
  }
  return { options, started, seed, requirements, checks, known, prepared, undo }
}

async function knownIn(
  file: string,
  requirements: ReadonlyMap<string, unknown>,
): Promise<readonly KnownEntry[]> {
  const { readBaseline } = await import('../judging/read-baseline.ts')
  return readBaseline(file, [...requirements.keys()])
}

/** @throws ConfigurationError if a different example would run than the intended one */
function checkReplay(path: string, seed: number | undefined): void {
  parsePath(path)
  if (seed !== undefined) return
  throw new ConfigurationError(
    '--path needs the seed of the run that found the example',
    `--path ${path}`,
    'add --seed with that seed',
  )
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => {
    result ??= work()
    return result
  }
}
