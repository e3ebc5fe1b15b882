/**
 * Parts of the condition of an index. Each is true, false or NULL for the values of a row.
 *
 * @module
 */

import type { FieldOutline, Values } from '../vocabulary.ts'

/** True, false or NULL, which is neither. */
export type Truth = boolean | null

/** The field that a name in a statement means. */
export type ColumnOf = (name: string) => FieldOutline | undefined

/** A part of a WHERE clause: its evaluation, and its normalized text. */
export interface WhereNode<T> {
  readonly read: (values: Values) => T
  readonly text: string
}

/** NULL stays NULL. */
export function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

/** False if one side is false, even if the other is NULL. */
export function both(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false
  return a === null || b === null ? null : true
}
