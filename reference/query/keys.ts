import { soleColumn } from '../tables/sole-column.ts'
import type { Field, Reader, Row, Table } from '../vocabulary.ts'

/**
 * Rows of a table whose field equals a value, found by key: the id, a single relation, or a unique index of one
 * column. Undefined when the field has no key that holds all rows with this value.
 *
 * @param value as the field's column compares it: an index holds a number under another key than its text
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
  // A json value has one text in comparisons and may have another one in the index.
  if (field.type === 'json') return undefined
  for (const index of table.uniqueIndexes) {
    if (soleColumn(index)?.field !== field.name) continue
    if (!coversAll(index.covers, field.name, value)) continue
    const row = reader.lookup(table, index, [value])
    return row === undefined ? [] : [row]
  }
  return undefined
}

/** True for a field that has a unique index of its own: at most one row per value. */
export function hasUniqueIndex(table: Table, fieldName: string): boolean {
  return table.uniqueIndexes.some((index) => soleColumn(index)?.field === fieldName)
}

/** A partial index helps only if its condition looks at nothing but the field and holds for the value. */
function coversAll(
  covers: ((values: Row['values']) => boolean) | undefined,
  fieldName: string,
  value: string | number,
): boolean {
  if (covers === undefined) return true
  let looksElsewhere = false
  const probe = new Proxy<Row['values']>(
    { [fieldName]: value },
    {
      get(target, name) {
        if (name !== fieldName) looksElsewhere = true
        return Reflect.get(target, name)
      },
    },
  )
  return covers(probe) && !looksElsewhere
}
