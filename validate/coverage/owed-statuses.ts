/**
 * The statuses of the description as coverage counts them.
 *
 * @module
 */

import { rangeOf } from '../../spec/status-range.ts'
import type { OperationEntry } from '../operation-entries.ts'

/**
 * Statuses that coverage expects: those with an entry of their own. Ranges (`2XX`, `default`) are about all others, and
 * no server has to return a status of 500 or above.
 */
export function owedStatuses({ responses }: Pick<OperationEntry, 'responses'>): string[] {
  return Object.keys(responses).filter((status) => Number(status) < 500)
}

/** The entry that describes a status: its own or its range. Undefined if there is none. */
export function describedAs(
  { responses, ranges }: Pick<OperationEntry, 'responses' | 'ranges'>,
  status: number,
): string | undefined {
  if (Object.hasOwn(responses, status)) return String(status)
  const range = rangeOf(status)
  return Object.hasOwn(ranges, range) ? range : undefined
}
