/**
 * The statuses of the description as coverage counts them.
 *
 * @module
 */

import { rangeOf } from '../../spec/status-range.ts'
import type { OperationEntry } from '../compiled.ts'

/**
 * Statuses of which a response is to be seen: those that are described by themselves. Ranges (`2XX`, `default`) are about
 * whatever else there is, and nothing from 500 up is owed by any server.
 */
export function owedStatuses({ responses }: Pick<OperationEntry, 'responses'>): string[] {
  return Object.keys(responses).filter((status) => Number(status) < 500)
}

/** What describes a status: itself, or its range. Undefined for nothing. */
export function describedAs(
  { responses, ranges }: Pick<OperationEntry, 'responses' | 'ranges'>,
  status: number,
): string | undefined {
  if (Object.hasOwn(responses, status)) return String(status)
  const range = rangeOf(status)
  return Object.hasOwn(ranges, range) ? range : undefined
}
