/**
 * Whether an expression holds for the values of a record: the suite's own meaning of the filter language, for the
 * operands of `expression.ts`. Independent of the reference.
 *
 * @module
 */

import type { Comparison, Expression, Literal, Operator, OracleValues } from './expression.ts'
import { compareText, like } from './text.ts'

/** A stored value as comparisons see it; null is a value that is not there. */
type Stored = string | number | null

/**
 * A record with many choices is one row for each of them, or one row without a choice. It is selected when the whole
 * expression holds for one of its rows: so two `?` comparisons joined by `&&` must be met by one and the same choice.
 */
export function evaluate(expression: Expression, values: OracleValues): boolean {
  const rows: Stored[] = values.selects.length === 0 ? [null] : values.selects
  return rows.some((row) => holds(expression, values, row))
}

function holds(expression: Expression, values: OracleValues, row: Stored): boolean {
  if (expression.kind === 'comparison') return meets(expression, values, row)
  return expression.join === '&&'
    ? expression.parts.every((part) => holds(part, values, row))
    : expression.parts.some((part) => holds(part, values, row))
}

function meets({ operand, operator, any, literal }: Comparison, values: OracleValues, row: Stored): boolean {
  switch (operand) {
    case 'text':
    case 'date':
    case 'select':
      return compare(values[operand], operator, literal ?? '')
    case 'number':
      return compare(values.number, operator, literal)
    case 'bool':
      return compare(Number(values.bool), operator, literal)
    case 'length':
      return compare(values.selects.length, operator, literal)
    case 'each':
      return (
        compare(row, operator, literal) &&
        (any || values.selects.every((each) => compare(each, operator, literal)))
      )
    case 'json':
      return compare(stored(values.json?.a ?? null), operator, literal)
  }
}

function stored(literal: Literal): Stored {
  return typeof literal === 'boolean' ? Number(literal) : literal
}

function compare(left: Stored, operator: Operator, literal: Literal): boolean {
  const right = stored(literal)
  if (operator === '=') return left === right
  if (operator === '!=') return left !== right
  if (left === null || right === null) return false
  if (operator === '~') return like(String(left), String(right))
  if (operator === '!~') return !like(String(left), String(right))
  const order = compareStored(left, right)
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  return operator === '<' ? order < 0 : order <= 0
}

/** Numbers come before every text. */
function compareStored(left: string | number, right: string | number): number {
  if (typeof left === 'number') return typeof right === 'number' ? left - right : -1
  return typeof right === 'number' ? 1 : compareText(left, right)
}
