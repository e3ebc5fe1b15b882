import type { SqlValue } from '../vocabulary.ts'
import { jsonSteps, lengthSteps, type Work } from '../work.ts'
import type { Frame } from './frame.ts'
import { type OperandSide, type Test, tests } from './operators.ts'
import type { Narrowing, SearchNode } from './search.ts'
import { converted } from './sql-value.ts'
import type { ComparisonSyntax } from './syntax.ts'
import type { Term } from './term.ts'

/**
 * Compiles one comparison. With a multi-valued side the plain operator requires a joined row that matches and none that
 * does not; with `?` one that matches is enough (contract-records 2.9).
 */
export function comparisonNode(comparison: ComparisonSyntax, left: Term, right: Term): SearchNode {
  const test = tests[comparison.operator]
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
  if (comparison.operator === '=') {
    node.narrow = [narrowing(left, right), narrowing(right, left)].filter((found) => found !== undefined)
  }
  return node
}

/** The check that no joined row violates the comparison; none for single-valued sides. */
function violationFree(left: Term, right: Term, test: Test): ((frame: Frame) => boolean) | undefined {
  if (left.every === undefined && right.every === undefined) return undefined
  const valuesOf = (term: Term, frame: Frame): readonly SqlValue[] =>
    term.every?.(frame) ?? [term.value(frame)]
  return (frame) => {
    if (left.guardEvery?.(frame) === false || right.guardEvery?.(frame) === false) return false
    const rights = valuesOf(right, frame).map((value) => sideOf(right, value))
    return valuesOf(left, frame).every((value) => {
      const side = sideOf(left, value)
      return rights.every((other) => measured(test, frame.scope.work, side, other) !== false)
    })
  }
}

/** One comparison, counted as work. */
function measured(test: Test, work: Work, left: OperandSide, right: OperandSide): ReturnType<Test> {
  work.spend(1 + stepsOf(left) + stepsOf(right))
  return test(left, right, (steps) => work.spend(steps))
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
