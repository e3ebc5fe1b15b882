/**
 * An operand between syntax tree and row: its name is resolved, its value is not read yet. `comparison.ts` joins two
 * of them.
 *
 * @module
 */

import type { Affinity, Field, Row, SqlValue } from '../vocabulary.ts'
import type { Frame } from './frame.ts'
import type { Scope } from './scope.ts'

/** A resolved operand: how to get its value from a row under test. */
export interface Term {
  /** Joins that must be bound before `value`, parents first. */
  joins: readonly number[]
  affinity: Affinity
  /** Its numbers are formatted as floating point when converted to strings. */
  floating: boolean
  /** Known before any row is read. */
  constant: boolean
  /** Missing and empty are different. */
  exact: boolean
  /** A function with a literal among its arguments. See `comparison.ts` for what differs then. */
  literal?: boolean
  value(frame: Frame): SqlValue
  /** The same for the row under test, if the term is one of its fields. */
  read?: (row: Row) => SqlValue
  /** Values of a multi-valued path over all joined rows. */
  every?: (frame: Frame) => readonly SqlValue[]
  /** A condition on the joined row for a comparison with this term: the email must be visible. */
  guard?: (frame: Frame) => boolean
  /** The same for all joined rows. */
  guardEvery?: (frame: Frame) => boolean
  seek?: Seek
}

/** The scope of a key search, and its cost so far. */
export type Searched = Pick<Scope, 'reader' | 'work'>

/** Finds rows by key instead of reading all of them. */
export interface Seek {
  /** The join whose rows are found, or `BASE`. */
  join: number
  /** The field, if it belongs to the join's own rows: an index of several fields may contain it. */
  field?: Field
  /**
   * A superset of the rows for which the term can equal `value`. Undefined: no key helps with this value.
   *
   * @param value converted for the term's affinity
   */
  rows(scope: Searched, value: string | number): Iterable<Row> | undefined
}

const CONSTANT = { joins: [], affinity: 'none', constant: true, exact: false } as const

/** A value written in the expression: numbers are floating point. */
export function literalTerm(value: SqlValue): Term {
  return { ...CONSTANT, floating: true, value: () => value }
}

/** A value that is fixed for the request. */
export function requestTerm(value: (frame: Frame) => SqlValue, floating = true): Term {
  return { ...CONSTANT, floating, value }
}
