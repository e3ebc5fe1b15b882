/**
 * The statuses of the description as coverage counts them, ranges (`2XX`) and `default` included.
 *
 * @module
 */

import type { OperationEntry } from '../compiled.ts'

type Described = Pick<OperationEntry, 'responses'>

/**
 * Statuses and ranges of which at least one response is to be seen. Not `default`, which is about whatever else there
 * is, and nothing from 500 up: those are described for clients, and no server owes them.
 */
export function owedStatuses({ responses }: Described): string[] {
  return Object.keys(responses).filter((status) => /^[1-4]/.test(status))
}

/** A range is seen with any of its statuses, one that is described by itself included. */
export function isSeen(described: string, seen: Iterable<number>): boolean {
  for (const status of seen) if (described === String(status) || described === rangeOf(status)) return true
  return false
}

/** What describes a status: itself, its range or `default`. Undefined for nothing. */
export function describedAs({ responses }: Described, status: number): string | undefined {
  return [String(status), rangeOf(status), 'default'].find((each) => Object.hasOwn(responses, each))
}

function rangeOf(status: number): string {
  return `${Math.floor(status / 100)}XX`
}
