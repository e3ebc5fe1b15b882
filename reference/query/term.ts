import type { Affinity, Field, Row, SqlValue } from '../vocabulary.ts'
import type { Frame } from './frame.ts'
import type { Scope } from './scope.ts'

/** A resolved operand: how to get its value from a row under test. */
export interface Term {
  /** Joins that must be bound before `value`, parents first. */
  joins: readonly number[]
  affinity: Affinity
  /** Numbers of it read as floating point when they become text. */
  floating: boolean
  /** Known before any row is looked at. */
  constant: boolean
  /** Missing and empty are not the same. */
  exact: boolean
  value(frame: Frame): SqlValue
  /** Values of a multi-valued path over all joined rows. */
  every?: (frame: Frame) => readonly SqlValue[]
  /** What must also hold of the joined row for a comparison with this term: a visible e-mail. */
  guard?: (frame: Frame) => boolean
  /** The same of all joined rows. */
  guardEvery?: (frame: Frame) => boolean
  seek?: Seek
}

/** Where rows are sought, and what that has cost. */
export type Searched = Pick<Scope, 'reader' | 'work'>

/** A way to find rows by key instead of by looking at all of them. */
export interface Seek {
  /** The join whose rows are found, or `BASE`. */
  join: number
  /** The field, where it is one of the join's rows themselves: an index of several fields may hold it. */
  field?: Field
  /**
   * All rows for which the term can equal `value`, or more. Undefined: no key helps with this value.
   *
   * @param value as the term's affinity asks for it
   */
  rows(scope: Searched, value: string | number): Iterable<Row> | undefined
}

const CONSTANT = { joins: [], affinity: 'none', constant: true, exact: false } as const

/** A value written in the text: numbers are floating point. */
export function literalTerm(value: SqlValue): Term {
  return { ...CONSTANT, floating: true, value: () => value }
}

/** A value that the request decides. */
export function requestTerm(value: (frame: Frame) => SqlValue, floating = true): Term {
  return { ...CONSTANT, floating, value }
}
