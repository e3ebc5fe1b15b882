/**
 * From two terms and an operator to a node of the search, with what can find its rows faster than a test of each:
 * values of keys, and ends of ranges.
 *
 * @module
 */

import { jsonSteps, lengthSteps, type Work } from '../limits/work.ts'
import type { Row, SqlValue } from '../vocabulary.ts'
import { BASE, type Frame } from './frame.ts'
import { type OperandSide, operatorTests, type Test, testAgainst } from './operators.ts'
import type { Limit, Narrowing, SearchNode } from './search.ts'
import { converted } from './sql-value.ts'
import type { ComparisonSyntax, PlainOperator } from './syntax.ts'
import type { Term } from './term.ts'

/**
 * Compiles one comparison. With a multi-valued side the plain operator requires a joined row that matches and none that
 * does not; with `?` one that matches is enough (contract-records 2.9).
 */
export function comparisonNode(comparison: ComparisonSyntax, left: Term, right: Term): SearchNode {
  const test = operatorTests[comparison.operator]
  const joins = [...new Set([...left.joins, ...right.joins])].sort((a, b) => a - b)
  const everyMatches = comparison.any ? undefined : violationFree(left, right, test)
  const guards = [left.guard, right.guard].filter((guard) => guard !== undefined)
  const node: SearchNode = {
    kind: 'comparison',
    joins,
    children: [],
    test(frame) {
      if (
        measured(
          test,
          frame.scope.work,
          sideOf(left, left.value(frame)),
          sideOf(right, right.value(frame)),
        ) !== true
      )
        return false
      if (guards.length > 0 && !guards.every((guard) => guard(frame))) return false
      return everyMatches === undefined || frame.once(node, () => everyMatches(frame))
    },
  }
  if (joins.length === 0 && everyMatches === undefined && guards.length === 0) {
    node.prepare = (frame) => preparedTest(comparison.operator, left, right, frame)
  }
  if (comparison.operator === '=') {
    node.narrow = [narrowing(left, right), narrowing(right, left)].filter((found) => found !== undefined)
  }
  const limit = limitsOf[comparison.operator]
  if (limit !== undefined)
    node.limits = [limitOn(left, right, limit[0]), limitOn(right, left, limit[1])].filter(
      (found) => found !== undefined,
    )
  return node
}

type End = Pick<Limit, 'end' | 'included'>

const above: End = { end: 'from', included: false }
const atLeast: End = { end: 'from', included: true }
const below: End = { end: 'to', included: false }
const atMost: End = { end: 'to', included: true }

/** The end that an operator sets for its left side, and for its right side. */
const limitsOf: Readonly<Partial<Record<PlainOperator, readonly [End, End]>>> = {
  '>': [above, below],
  '>=': [atLeast, atMost],
  '<': [below, above],
  '<=': [atMost, atLeast],
}

/** A range of a field of the row itself. A side with an affinity would also convert the field. */
function limitOn(sought: Term, other: Term, end: End): Limit | undefined {
  const { field, join } = sought.seek ?? {}
  if (field === undefined || join !== BASE || !other.constant || other.affinity !== 'none') return undefined
  return { ...end, field, value: (frame) => converted(sideOf(other, other.value(frame)), sought.affinity) }
}

/**
 * The check that no joined row violates the comparison; none for single-valued sides. If the other side is
 * multi-valued, the family does not compare a single value exactly: missing and empty are the same. The result of a
 * function with a literal is compared as it is.
 */
function violationFree(left: Term, right: Term, test: Test): ((frame: Frame) => boolean) | undefined {
  if (left.every === undefined && right.every === undefined) return undefined
  const checkedSide = (term: Term, other: Term, value: SqlValue): OperandSide =>
    term.every !== undefined || other.every === undefined
      ? sideOf(term, value)
      : { ...sideOf(term, value), exact: false, asIs: term.literal === true }
  const valuesOf = (term: Term, frame: Frame): readonly SqlValue[] =>
    term.every?.(frame) ?? [term.value(frame)]
  return (frame) => {
    if (left.guardEvery?.(frame) === false || right.guardEvery?.(frame) === false) return false
    const rights = valuesOf(right, frame).map((value) => checkedSide(right, left, value))
    return valuesOf(left, frame).every((value) => {
      const side = checkedSide(left, right, value)
      return rights.every((other) => measured(test, frame.scope.work, side, other) !== false)
    })
  }
}

/** One comparison, counted as work. */
function measured(test: Test, work: Work, left: OperandSide, right: OperandSide): ReturnType<Test> {
  work.spend(1 + stepsOf(left) + stepsOf(right))
  return test(left, right, (steps) => work.spend(steps))
}

function preparedTest(operator: PlainOperator, left: Term, right: Term, frame: Frame): (row: Row) => boolean {
  const { work } = frame.scope
  const spend = (steps: number) => work.spend(steps)
  const one = sideOf(left, left.constant ? left.value(frame) : null)
  const other = sideOf(right, right.constant ? right.value(frame) : null)
  const cost = 1 + (left.constant ? stepsOf(one) : 0) + (right.constant ? stepsOf(other) : 0)
  const test = testAgainst(operator, one, other)
  const { read } = left
  if (read !== undefined && right.constant) {
    const { exact } = left
    return (row) => {
      const value = read(row)
      work.spend(cost + (exact ? jsonSteps(value) : lengthSteps(value)))
      return test(value, spend) === true
    }
  }
  return () => {
    let steps = cost
    if (!left.constant) {
      one.value = left.value(frame)
      steps += stepsOf(one)
    }
    if (!right.constant) {
      other.value = right.value(frame)
      steps += stepsOf(other)
    }
    work.spend(steps)
    return test(one.value, spend) === true
  }
}

function stepsOf({ value, exact }: OperandSide): number {
  return exact ? jsonSteps(value) : lengthSteps(value)
}

function sideOf(term: Term, value: SqlValue): OperandSide {
  const { affinity, floating, constant, exact } = term
  return { value, affinity, floating, constant, exact }
}

/**
 * For equality with a key, the key finds the rows. An empty or missing other side also equals rows that no key
 * contains.
 */
function narrowing(sought: Term, other: Term): Narrowing | undefined {
  const { seek } = sought
  if (seek === undefined || other.joins.includes(seek.join)) return undefined
  const wanted = (frame: Frame) => {
    const value = converted(sideOf(other, other.value(frame)), sought.affinity)
    return value === null || value === '' ? undefined : value
  }
  return {
    join: seek.join,
    after: other.joins,
    fixed: other.constant,
    field: seek.field,
    value: wanted,
    rows(frame) {
      const value = wanted(frame)
      return value === undefined ? undefined : seek.rows(frame.scope, value)
    },
  }
}
