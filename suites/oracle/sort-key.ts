/**
 * The order of records by sort keys: the suite's own.
 *
 * @module
 */

import { compareText } from './text.ts'

export interface SortKey {
  field: string
  descending: boolean
}

/** The `sort` parameter for these keys. */
export function printKeys(keys: readonly SortKey[]): string {
  return keys.map(({ field, descending }) => (descending ? '-' : '') + field).join(',')
}

/** The same keys the other way round. */
export function reversed(keys: readonly SortKey[]): SortKey[] {
  return keys.map(({ field, descending }) => ({ field, descending: !descending }))
}

/** Negative, zero or positive: text by bytes, numbers by value, false before true. */
export function compareRecords(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  keys: readonly SortKey[],
): number {
  for (const { field, descending } of keys) {
    const order = compareValues(left[field], right[field])
    if (order !== 0) return descending ? -order : order
  }
  return 0
}

function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  return Number(left) - Number(right)
}
