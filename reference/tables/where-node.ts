import type { FieldOutline, Values } from '../vocabulary.ts'

/** True, false or NULL, which is neither. */
export type Truth = boolean | null

/** The field that a name in a statement means. */
export type ColumnOf = (name: string) => FieldOutline | undefined

/** A part of a WHERE clause: what it says of a row, and its one spelling. */
export interface WhereNode<T> {
  readonly read: (values: Values) => T
  readonly text: string
}

/** What is unknown stays so. */
export function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

/** What is false on one side is false, whatever is unknown on the other. */
export function both(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false
  return a === null || b === null ? null : true
}
