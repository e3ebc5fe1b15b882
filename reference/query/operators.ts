/**
 * What an operator means for two values (contract-records 2.8). Knows no fields and no rows: `comparison.ts` supplies
 * both sides.
 *
 * @module
 */

import { decimalText } from '../fields/cast.ts'
import type { SqlValue } from '../vocabulary.ts'
import { containsPattern, likeMatcher, patternSteps } from './like.ts'
import { compareSides, compareValues, type Side, sqlText } from './sql-value.ts'
import type { PlainOperator } from './syntax.ts'

/** The value of an operand, with what equality and `~` need to know about its source. */
export interface OperandSide extends Side {
  /** A literal, a macro or a request value: it is known before any row is read. */
  constant: boolean
  /** From a json or geo path: missing and empty are different. */
  exact: boolean
  /** Compared as it is, so that a missing value leaves equality undecided. @default false */
  asIs?: boolean
}

/**
 * Result of an operator: null if a missing value leaves it undecided, which counts neither as a match nor as a
 * violation.
 */
type Verdict = boolean | null

/** @param spend receives the steps in addition to reading each character of both values */
export type Test = (left: OperandSide, right: OperandSide, spend?: (steps: number) => void) => Verdict

/** The operators that depend on the order of both values alone, if neither is missing. */
const accepted = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
}

/** The eight operators on two values (contract-records 2.8). */
export const operatorTests: Readonly<Record<PlainOperator, Test>> = {
  '=': equal,
  '!=': differ,
  '>': (left, right) => ordered(left, right, accepted['>']),
  '>=': (left, right) => ordered(left, right, accepted['>=']),
  '<': (left, right) => ordered(left, right, accepted['<']),
  '<=': (left, right) => ordered(left, right, accepted['<=']),
  '~': like,
  '!~': (left, right, spend) => {
    const found = like(left, right, spend)
    return found === null ? null : !found
  },
}

/** A test for one value of the left side after another. @param spend see `Test` */
type ValueTest = (value: SqlValue, spend: (steps: number) => void) => Verdict

/**
 * The test of an operator with one right side. What a constant says is read only once.
 *
 * @param left its value is replaced by the value under test
 */
export function testAgainst(operator: PlainOperator, left: OperandSide, right: OperandSide): ValueTest {
  const { value: wanted, constant } = right
  const slow: ValueTest = (value, spend) => {
    left.value = value
    return operatorTests[operator](left, right, spend)
  }
  if (!constant || wanted === null) return slow
  return operator === '~' || operator === '!~'
    ? likeConstant(operator, left.floating, wanted)
    : orderAgainst(accepted[operator], wanted, slow)
}

function likeConstant(operator: '~' | '!~', floating: boolean, wanted: string | number): ValueTest {
  const matches = likeMatcher(constantPattern(wanted))
  const verdict = operator === '~'
  return (value, spend) =>
    value === null
      ? null
      : matches(typeof value === 'number' ? sqlText(value, floating) : value, spend) === verdict
}

/** Values of the same kind are compared as they are; only others are converted, or are missing. */
function orderAgainst(
  accept: (order: number) => boolean,
  wanted: string | number,
  slow: ValueTest,
): ValueTest {
  if (wanted === '') return slow
  if (typeof wanted === 'number')
    return (value, spend) => (typeof value === 'number' ? accept(value - wanted) : slow(value, spend))
  return (value, spend) =>
    typeof value === 'string' && value !== '' ? accept(compareValues(value, wanted)) : slow(value, spend)
}

function constantPattern(value: string | number): string {
  return containsPattern(typeof value === 'number' ? decimalText(value) : value)
}

function ordered(left: Side, right: Side, accept: (order: number) => boolean): Verdict {
  const order = compareSides(left, right)
  return order === undefined ? null : accept(order)
}

/** Missing equals missing; for all but json and geo paths it also equals the empty string. */
function equal(left: OperandSide, right: OperandSide): Verdict {
  if (left.exact || right.exact) return same(left, right)
  const leftEmpty = isEmpty(left)
  const rightEmpty = isEmpty(right)
  if (leftEmpty && rightEmpty) return true
  if (left.constant || right.constant || left.asIs || right.asIs) {
    if (leftEmpty) return right.value === null || compareSides({ ...left, value: '' }, right) === 0
    if (rightEmpty) return left.value === null || compareSides(left, { ...right, value: '' }) === 0
    const order = compareSides(left, right)
    return order === undefined ? null : order === 0
  }
  return compareSides(bare(left), bare(right)) === 0
}

function differ(left: OperandSide, right: OperandSide): Verdict {
  // Two missing values do not differ if one is compared as it is, although they are not equal either.
  if (left.value === null && right.value === null && (left.asIs || right.asIs)) return false
  const response = equal(left, right)
  return response === null ? true : !response
}

function same(left: Side, right: Side): boolean {
  if (left.value === null || right.value === null) return left.value === right.value
  return compareSides(left, right) === 0
}

/** An empty constant. A column is never known to be empty in advance. */
function isEmpty(side: OperandSide): boolean {
  return side.constant && (side.value === null || side.value === '')
}

/** Two columns are compared with missing read as empty, which also removes their affinity. */
function bare(side: Side): Side {
  return { value: side.value ?? '', affinity: 'none', floating: side.floating }
}

/** A constant on the right is literal unless it contains an unescaped `%`; wildcards in a column are active. */
function like(left: OperandSide, right: OperandSide, spend?: (steps: number) => void): Verdict {
  if (left.value === null || right.value === null) return null
  const text = typeof left.value === 'number' ? sqlText(left.value, left.floating) : left.value
  const pattern = right.constant
    ? constantPattern(right.value)
    : `%${typeof right.value === 'number' ? sqlText(right.value, right.floating) : right.value}%`
  // The pattern of a column is parsed for each record.
  if (!right.constant) spend?.(patternSteps(pattern))
  return likeMatcher(pattern)(text, spend)
}
