/**
 * The rows of a declared index in its order: a filter takes a range of them, a sort order takes them as they are.
 *
 * @module
 */

import { compareValues } from '../query/sql-value.ts'
import type { Field, IndexRange, Row, SqlValue, ValueIndex } from '../vocabulary.ts'
import { type OrderedMap, orderedMap } from './ordered-map.ts'

/** A place between rows: before or after all rows whose first columns have these values. */
interface Edge {
  readonly edge: readonly SqlValue[]
  /** -1 before them, 1 after them. */
  readonly side: -1 | 1
}

/** The rows of an index, in the order of their values; rows of equal values in insertion order. */
export type IndexedRows = OrderedMap<Row | Edge, undefined>

export function indexedRows({ fields }: ValueIndex): IndexedRows {
  return orderedMap((a, b) => compareEntries(fields, a, b))
}

/** Rows with values within the range, in the order of the index or in reverse. */
export function* rowsWithin(
  { fields }: ValueIndex,
  rows: IndexedRows,
  { equal, from, to }: IndexRange,
  reverse = false,
): Iterable<Row> {
  const lowest: Edge = {
    edge: from === undefined ? equal : [...equal, from.value],
    side: from !== undefined && !from.included ? 1 : -1,
  }
  const highest: Edge = {
    edge: to === undefined ? equal : [...equal, to.value],
    side: to !== undefined && !to.included ? -1 : 1,
  }
  const entries = reverse ? rows.entriesReversed(highest) : rows.entries(lowest)
  for (const [entry] of entries) {
    if (reverse ? compareEntries(fields, entry, lowest) < 0 : compareEntries(fields, entry, highest) > 0)
      return
    if (!isEdge(entry)) yield entry
  }
}

/** Order of two rows by their values in the first columns of an index. */
export function compareColumns(fields: readonly Field[], columns: number, a: Row, b: Row): number {
  for (let at = 0; at < columns; at += 1) {
    const order = compareValues(valueAt(fields, at, a), valueAt(fields, at, b))
    if (order !== 0) return order
  }
  return 0
}

function compareEntries(fields: readonly Field[], a: Row | Edge, b: Row | Edge): number {
  const columns = Math.min(columnsOf(fields, a), columnsOf(fields, b))
  for (let at = 0; at < columns; at += 1) {
    const order = compareValues(valueAt(fields, at, a), valueAt(fields, at, b))
    if (order !== 0) return order
  }
  if (isEdge(a)) return a.side
  return isEdge(b) ? -b.side : a.rowid - b.rowid
}

function isEdge(entry: Row | Edge): entry is Edge {
  return (entry as Edge).edge !== undefined
}

function columnsOf(fields: readonly Field[], entry: Row | Edge): number {
  return isEdge(entry) ? entry.edge.length : fields.length
}

function valueAt(fields: readonly Field[], at: number, entry: Row | Edge): SqlValue {
  if (isEdge(entry)) return entry.edge[at] ?? null
  const field = fields[at]
  return field === undefined ? null : field.column.read(entry.values[field.name])
}
