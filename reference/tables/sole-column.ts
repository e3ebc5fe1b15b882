import type { IndexColumn, UniqueIndex } from '../vocabulary.ts'

/**
 * The column of an index that holds one column as it is: through such an index, and no other, a row can be looked up
 * by a field's value. An index of a function of the column knows other values than those that are stored.
 */
export function soleColumn(index: UniqueIndex): IndexColumn | undefined {
  const [only] = index.columns
  return index.columns.length === 1 && only?.through === undefined ? only : undefined
}
