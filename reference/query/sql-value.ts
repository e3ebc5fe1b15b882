/**
 * Values as SQLite compares and converts them (contract-records 2.8): filters, sort orders and conditions of indexes
 * use the same rules.
 *
 * @module
 */

import { compareUtf8 } from '../store/compare-utf8.ts'
import type { Affinity, SqlValue, Value } from '../vocabulary.ts'
import { jsonText } from './json-text.ts'

const NUMERIC_TEXT = /^[ \t\n\v\f\r]*[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\v\f\r]*$/

/** Longest number in characters: a pattern must not run over megabytes of digits. */
const LONGEST_NUMBER = 1000

/** A stored or given value for comparisons: lists and objects as JSON text. */
export function sqlValue(value: Value | undefined): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'number':
      return value
    case 'boolean':
      return value ? 1 : 0
    default:
      return value === null || value === undefined ? null : jsonText(value)
  }
}

/** The number that a whole string spells; undefined if it does not spell one. */
export function numberOf(text: string): number | undefined {
  return text.length <= LONGEST_NUMBER && NUMERIC_TEXT.test(text) ? Number(text) : undefined
}

/**
 * The string of a number: 15 significant digits if they are enough to read the same number again, 17 otherwise. A
 * number literal is a floating point number and keeps a fraction (`10` reads `10.0`), stored whole numbers do not.
 */
export function sqlText(value: number, floating: boolean): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) {
    if (!floating) return BigInt(value).toString()
    if (Math.abs(value) < 1e17) return `${Object.is(value, -0) ? '-0' : BigInt(value)}.0`
  }
  const short = value.toPrecision(15)
  const digits = Number(short) === value ? short : value.toPrecision(17)
  const magnitude = Math.abs(value)
  if (magnitude < 1e-4 || magnitude >= 1e17) return exponential(value, digits)
  return digits.replace(/\.?0+$/, '')
}

function exponential(value: number, digits: string): string {
  const significant = digits.replace(/e.*$|[-.]/g, '').replace(/^0+/, '').length
  const [factor = '0', exponent = '+0'] = value.toExponential(significant - 1).split('e')
  const trimmed = factor.replace(/0+$/, '')
  const power = exponent.slice(1).padStart(2, '0')
  return `${trimmed}${trimmed.endsWith('.') ? '0' : ''}e${exponent.charAt(0)}${power}`
}

/** One side of a comparison at one moment. */
export interface Side {
  value: SqlValue
  affinity: Affinity
  /** The number came from a literal or a request, not from a column. */
  floating: boolean
}

/** The value of a side converted for the affinity of the other side, if their kinds differ. */
export function converted({ value, affinity, floating }: Side, asked: Affinity): SqlValue {
  if (affinity === 'number') return value
  if (asked === 'number' && typeof value === 'string') return numberOf(value) ?? value
  if (asked === 'text' && typeof value === 'number') return sqlText(value, floating)
  return value
}

/**
 * Order of two sides after affinities are applied; undefined if one of them is missing. Numbers sort before strings.
 */
export function compareSides(left: Side, right: Side): number | undefined {
  let a = left.value
  let b = right.value
  if (a === null || b === null) return undefined
  if (typeof a !== typeof b) {
    a = converted(left, right.affinity)
    b = converted(right, left.affinity)
  }
  return compareValues(a, b)
}

/** Total order of values: missing, then numbers, then strings by bytes. */
export function compareValues(a: SqlValue, b: SqlValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareUtf8(a, b)
  return rank(a) - rank(b)
}

function rank(value: SqlValue): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2
}
