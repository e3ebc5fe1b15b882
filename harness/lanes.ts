/**
 * The two lanes of a run against the embedded reference: each does its suites against a reference of its own, at the
 * same time. docs/decisions/006. Pure.
 *
 * @module
 */

import type { RunOptions } from './generated/run-options.ts'

/** One of two halves of a run, that know nothing of each other. */
export type Lane = 'first' | 'second'

/** Topics of suites, in whichever basis. Chosen so that both lanes take about as long, and no check builds on one of the other lane. */
const secondTopics = ['auth', 'batch', 'robustness']

/** Fewer checks are done before a second lane has started. */
const worthwhile = 60

export function laneOf({ suite }: { suite: string }): Lane {
  return secondTopics.includes(suite.split('/')[1] ?? '') ? 'second' : 'first'
}

/** What in a run goes by what was sent or found before: it has one lane. */
export type OneAfterTheOther = Pick<RunOptions, 'bail' | 'maxRequests' | 'rate'>

/**
 * Whether a run may have two lanes. It follows from what is run and not from the machine: the same run sends the same
 * requests everywhere.
 */
export function worthTwoLanes(
  checks: readonly { suite: string }[],
  { bail, maxRequests, rate }: OneAfterTheOther,
): boolean {
  if (bail === true || maxRequests !== undefined || rate !== undefined) return false
  const second = checks.filter((check) => laneOf(check) === 'second').length
  return Math.min(second, checks.length - second) >= worthwhile
}
