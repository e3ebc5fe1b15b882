/**
 * Whether an expression holds for the values of a record: the suite's own meaning of the filter language, for the
 * operands of `expression.ts`. Independent of the reference.
 *
 * @module
 */

import type { Comparison, Expression, Literal, Operator, Values } from './expression.ts'
import { compareText, like } from './text.ts'

/** A stored value as comparisons see it; null is a value that is not there. */
type Stored = string | number | null

export function evaluate(expression: Expression, values: Values): boolean {
  if (expression.kind === 'comparison') return holds(expression, values)
  return expression.join === '&&'
    ? expression.parts.every((part) => evaluate(part, values))
    : expression.parts.some((part) => evaluate(part, values))
}

function holds({ operand, operator, any, literal }: Comparison, values: Values): boolean {
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
    case 'each': {
      // Nothing selected is one value that is not there.
      const each: Stored[] = values.selects.length === 0 ? [null] : values.selects
      const judge = (one: Stored) => compare(one, operator, literal)
      return any ? each.some(judge) : each.every(judge)
    }
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
