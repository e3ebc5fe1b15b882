/**
 * Rows by a value, without a pass over the table: for `=` in filters, and for the record of an identity at sign-in.
 *
 * @module
 */

import { soleColumn } from '../tables/sole-column.ts'
import type { Field, Reader, Row, Table, UniqueIndex, Value } from '../vocabulary.ts'

/**
 * Rows of a table whose field equals a value, found by key: the id, a single relation, or a unique index of one column.
 * Undefined if the field has no key that contains all rows with this value.
 *
 * @param value as the field's column compares it: the index key of a number differs from the index key of its string
 */
export function rowsByKey(
  reader: Reader,
  table: Table,
  field: Field,
  value: string | number,
): Iterable<Row> | undefined {
  if (value === '') return undefined
  if (field.name === 'id') {
    const row = reader.get(table, String(value))
    return row === undefined ? [] : [row]
  }
  if (field.type === 'relation') {
    return field.multiple ? undefined : reader.referrers(table, field, String(value))
  }
  return rowsByUnique(reader, table, new Map([[field.name, value]]))
}

/** Most related rows to find by an index. With more it is cheaper to read the related rows of each record. */
const mostRelated = 1_000

/** Rows whose field equals a value, by a declared index that begins with the field. Undefined for too many rows. */
export function rowsByValue(
  reader: Reader,
  table: Table,
  field: Field,
  value: string | number,
): Row[] | undefined {
  const index = table.valueIndexes.find(({ fields }) => fields[0] === field)
  if (index === undefined || value === '') return undefined
  const rows: Row[] = []
  for (const row of reader.within(table, index, { equal: [value] })) {
    if (rows.length === mostRelated) return undefined
    rows.push(row)
  }
  return rows
}

/** Rows whose fields equal these values, by a unique index of some of the fields; undefined if there is none. */
export function rowsByUnique(
  reader: Reader,
  table: Table,
  equal: ReadonlyMap<string, string | number>,
): Iterable<Row> | undefined {
  for (const index of table.uniqueIndexes) {
    const values = index.columns.map(({ field, through }) => {
      // The text of a json value in comparisons may differ from its text in the index.
      return through === undefined && !table.field(field)?.column.exact ? equal.get(field) : undefined
    })
    if (!values.every((value) => value !== undefined)) continue
    const row = coversAll(index, values) ? reader.lookup(table, index, values) : null
    if (row !== null) return row === undefined ? [] : [row]
  }
  return undefined
}

/** True for a field that has a unique index of its own: at most one row per value. */
export function hasUniqueIndex(table: Table, fieldName: string): boolean {
  return table.uniqueIndexes.some((index) => soleColumn(index)?.field === fieldName)
}

/** A partial index helps only if its condition reads only its own columns and is true for the values. */
function coversAll({ covers, columns }: UniqueIndex, values: readonly Value[]): boolean {
  if (covers === undefined) return true
  let looksElsewhere = false
  const own = Object.fromEntries(columns.map(({ field }, at) => [field, values[at] ?? null]))
  const probe = new Proxy<Row['values']>(own, {
    get(target, name) {
      if (!Object.hasOwn(own, name)) looksElsewhere = true
      return Reflect.get(target, name)
    },
  })
  return covers(probe) && !looksElsewhere
}
