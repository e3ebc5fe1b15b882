/**
 * What the workers of a run are told to do: one of them everything, or each its lane. Pure.
 *
 * @module
 */

import type { RunOrder } from './engine/messages.ts'
import type { RunOptions } from './generated/run-options.ts'
import { invocationOf } from './invocation.ts'
import { laneOf } from './lanes.ts'
import { sessionOptionsOf } from './run-options.ts'
import type { PlannedCheck } from './suites.ts'
import type { PreparedTarget } from './vocabulary/target.ts'

export function ordersOf(
  options: RunOptions,
  { target, twin, namespace, journal }: PreparedTarget,
  seed: number,
  planned: readonly PlannedCheck[],
): [RunOrder] | [RunOrder, RunOrder] {
  const checks = planned.map(({ id, suite }) => ({ id, suite }))
  const session = {
    ...sessionOptionsOf(options),
    seed,
    namespace,
    journal,
    invocation: invocationOf(options),
  }
  const whole = { target, checks, session, bail: options.bail === true, path: options.path }
  if (twin === undefined) return [whole]
  const first = checks.filter((check) => laneOf(check) === 'first')
  const second = checks.filter((check) => laneOf(check) === 'second')
  return [
    { ...whole, checks: first, elsewhere: idsOf(second) },
    { ...whole, checks: second, elsewhere: idsOf(first), target: twin },
  ]
}

function idsOf(checks: readonly PlannedCheck[]): string[] {
  return checks.map(({ id }) => id)
}
