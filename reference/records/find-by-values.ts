/**
 * The first record with given values, found by key if one or several of the values form a key.
 *
 * @module
 */

import { rowsByKey, rowsByUnique } from '../query/keys.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'

/**
 * In insertion order. Values are compared as JSON.
 *
 * @param wanted by the names of fields of the table
 */
export function findByValues(
  reader: Reader,
  table: Table,
  wanted: Readonly<Record<string, unknown>>,
): Row | undefined {
  const values = Object.entries(wanted).map(([name, value]) => [name, JSON.stringify(value ?? null)] as const)
  for (const row of candidates(reader, table, wanted)) {
    if (values.every(([name, text]) => JSON.stringify(row.values[name] ?? null) === text)) return row
  }
  return undefined
}

/** Candidates in insertion order, which include all rows with these values. */
function candidates(reader: Reader, table: Table, wanted: Readonly<Record<string, unknown>>): Iterable<Row> {
  const equal = new Map<string, string | number>()
  for (const [name, value] of Object.entries(wanted)) {
    if (typeof value === 'string' || typeof value === 'number') equal.set(name, value)
  }
  for (const [name, value] of equal) {
    const field = table.field(name)
    const rows = field && rowsByKey(reader, table, field, value)
    if (rows !== undefined) return rows
  }
  return rowsByUnique(reader, table, equal) ?? reader.scan(table)
}
