/**
 * Plans the assignments for the workers of a run. A run against the embedded reference may have two concurrent shards,
 * each with its own reference. docs/decisions/006. Pure.
 *
 * @module
 */

import type { Requirement } from '../../spec/vocabulary.ts'
import type { RunOptions } from '../generated/run-options.ts'
import { invocationOf } from '../planning/invocation.ts'
import type { PlannedCheck } from '../planning/suites.ts'
import { sessionOptionsOf } from '../run-options.ts'
import type { PreparedTarget, Target } from '../vocabulary/target.ts'
import type { Assignment } from './messages.ts'

/** One of two independent halves of a run. */
type Shard = 'first' | 'second'

type Requirements = ReadonlyMap<string, Pick<Requirement, 'after'>>

/** Topics of suites, of either basis, chosen so that both shards take about the same time. */
const secondTopics = ['auth', 'batch']
/** Exceptions that run in the first shard, to balance the two. */
const firstSuites = ['profile/auth/matrix', 'profile/auth/model', 'profile/auth/derived']

/** Fewer checks finish before a second worker has started. */
const worthwhile = 60

/**
 * The shard of each check: the shard of its topic, or of its dependency.
 *
 * @param checks each after those that it depends on
 */
export function shardsOf(
  checks: readonly PlannedCheck[],
  requirements: Requirements,
): ReadonlyMap<string, Shard> {
  const shards = new Map<string, Shard>()
  for (const { id, suite } of checks) {
    const { after = [] } = requirements.get(id) ?? {}
    const isSecond =
      (secondTopics.includes(suite.split('/')[1] ?? '') && !firstSuites.includes(suite)) ||
      after.some((earlier) => shards.get(earlier) === 'second')
    shards.set(id, isSecond ? 'second' : 'first')
  }
  return shards
}

/**
 * Whether a run may have two shards. It follows from what is run and not from the machine: the same run sends the same
 * requests everywhere. Options that depend on earlier requests or findings require a single shard.
 */
export function worthTwoShards(
  checks: readonly PlannedCheck[],
  requirements: Requirements,
  { bail, maxRequests, rate }: Pick<RunOptions, 'bail' | 'maxRequests' | 'rate'>,
): boolean {
  if (bail === true || maxRequests !== undefined || rate !== undefined) return false
  const second = [...shardsOf(checks, requirements).values()].filter((shard) => shard === 'second').length
  return Math.min(second, checks.length - second) >= worthwhile
}

/** One assignment for everything, or one for each shard if there is a second target. */
export function assignmentsOf(
  options: RunOptions,
  { target, second: secondTarget, embedded, namespace, journal }: PreparedTarget,
  seed: number,
  planned: readonly PlannedCheck[],
  requirements: Requirements,
): [Assignment] | [Assignment, Assignment] {
  const checks = planned.map(({ id, suite }) => ({ id, suite }))
  const session = {
    ...sessionOptionsOf(options),
    seed,
    namespace,
    journal,
    exclusive: embedded,
    invocation: invocationOf(options),
    caFile: target.baseUrl.startsWith('https:') ? process.env.NODE_EXTRA_CA_CERTS || undefined : undefined,
  }
  const whole = { target, checks, session, bail: options.bail === true, path: options.path }
  if (secondTarget === undefined)
    return [{ ...whole, concurrent: !embedded && mayBeConcurrent(target, options) }]
  const shards = shardsOf(checks, requirements)
  const first = checks.filter(({ id }) => shards.get(id) === 'first')
  const second = checks.filter(({ id }) => shards.get(id) === 'second')
  return [
    { ...whole, checks: first, elsewhere: idsOf(second) },
    { ...whole, checks: second, elsewhere: idsOf(first), target: secondTarget },
  ]
}

/**
 * Whether checks may be under way at the same time: not where a hook moves the clock or reads emails of all of them, and
 * not with options that depend on earlier requests or findings.
 */
function mayBeConcurrent(
  { hooks = {}, services }: Target,
  { bail, maxRequests, rate, path, concurrency }: RunOptions,
): boolean {
  const isFree = Object.keys(hooks).length === 0 && services === undefined
  return (
    isFree &&
    bail !== true &&
    [maxRequests, rate, path].every((each) => each === undefined) &&
    concurrency !== 1
  )
}

function idsOf(checks: readonly PlannedCheck[]): string[] {
  return checks.map(({ id }) => id)
}
