/**
 * Selects the declared indexes that make lists faster. The results are the same without them.
 *
 * @module
 */

import type { Field, IndexColumn, ValueIndex } from '../vocabulary.ts'
import type { ParsedIndex } from './parse-index.ts'

/**
 * The declared indexes that lists can use, unique or not: those that contain every row, and that order it as filters and
 * sort orders compare values. Of an index with a column for which this is not so, the columns before it are used.
 */
export function valueIndexes(
  declared: readonly Pick<ParsedIndex, 'columns' | 'covers'>[],
  fieldOf: (name: string) => Field | undefined,
): ValueIndex[] {
  const found = new Map<string, ValueIndex>()
  for (const { columns, covers } of declared) {
    if (covers !== undefined) continue
    const fields: Field[] = []
    for (const column of columns) {
      const field = fieldOf(column.field)
      if (field === undefined || !isOrdered(field, column)) break
      fields.push(field)
    }
    if (fields.length > 0) found.set(JSON.stringify(fields.map(({ name }) => name)), { fields })
  }
  return [...found.values()]
}

/** A json value is compared by its text, and a list as a whole: neither has the order of its values. */
function isOrdered({ column, multiple }: Field, { through, collation }: IndexColumn): boolean {
  const plain = !column.exact && !column.inside && !column.secret && !multiple
  return plain && through === undefined && collation === 'BINARY'
}
