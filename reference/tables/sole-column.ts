/**
 * Shows which indexes find a record by the value of one field: for sign-in, and for back-relations of one record.
 *
 * @module
 */

import type { IndexColumn, UniqueIndex } from '../vocabulary.ts'

/**
 * The column of an index on one unmodified column. Only through such an index can a row be looked up by a field's
 * value: an index on a function of the column contains other values than those that are stored.
 */
export function soleColumn(index: UniqueIndex): IndexColumn | undefined {
  const [only] = index.columns
  return index.columns.length === 1 && only?.through === undefined ? only : undefined
}
