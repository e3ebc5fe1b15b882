/**
 * The comparisons of a rule, each with its result and its values for one caller and one record, to explain a rejected
 * request in a log.
 *
 * @module
 */

import { mayAdmit } from '../../exchange/secrets/secret-names.ts'
import { LimitExceeded } from '../errors.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import type { Row, SqlValue } from '../vocabulary.ts'
import { comparisonNode } from './comparison.ts'
import { frameMaker, optionsFor, startCompilation } from './compile.ts'
import type { Frame } from './frame.ts'
import { parseFilter } from './parse-filter.ts'
import { QueryError } from './query-error.ts'
import { resolveOperand } from './resolve.ts'
import type { Scope } from './scope.ts'
import { exists } from './search.ts'
import type { ComparisonSyntax, FilterSyntax, OperandSyntax } from './syntax.ts'
import type { Term } from './term.ts'

/** Most values that are shown of a side with several. */
const mostShown = 3
/** Most characters that are shown of a value. */
const longestShown = 60

/** One comparison of a rule. */
interface ExplainedComparison {
  text: string
  holds: boolean
  /** `author is "a"`, or why it cannot be evaluated. */
  because: readonly string[]
}

/**
 * A line for each comparison of a rule: `false: author = @request.auth.id (author is "a", @request.auth.id is
 * missing)`. Its cost is not counted as work of the request.
 */
export function explainRule(rule: string, row: Row, scope: Scope): string[] {
  const own = { ...scope, work: new Work(defaultLimits) }
  try {
    return comparisonsOf(parseFilter(rule, 'rule')).map((comparison) => {
      const { text, holds, because } = explainComparison(comparison, row, own)
      return `${holds}: ${text}${because.length === 0 ? '' : ` (${because.join(', ')})`}`
    })
  } catch (error) {
    if (error instanceof QueryError) return [error.message]
    throw error
  }
}

function comparisonsOf(expression: FilterSyntax): ComparisonSyntax[] {
  return expression.kind === 'comparison' ? [expression] : expression.items.flatMap(comparisonsOf)
}

function explainComparison(comparison: ComparisonSyntax, row: Row, scope: Scope): ExplainedComparison {
  const { left, operator, any, right } = comparison
  const text = `${operandText(left)} ${any ? '?' : ''}${operator} ${operandText(right)}`
  const compilation = startCompilation(optionsFor(scope, scope.table, 'rule'))
  try {
    const terms = [left, right].map((operand) => ({ operand, term: resolveOperand(compilation, operand) }))
    const [one, other] = terms.map(({ term }) => term) as [Term, Term]
    const frame = frameMaker(compilation.joins)(row, scope)
    const holds = exists(comparisonNode(comparison, one, other), frame)
    const isTruth = [left, right].some((operand) => /^(?:true|false)$/i.test(operandText(operand)))
    const because = terms.flatMap(({ operand, term }) => {
      const name = nameIn(operand)
      return name === undefined ? [] : [`${name} is ${valuesText(name, term, frame, isTruth)}`]
    })
    return { text, holds, because: [...new Set(because)] }
  } catch (error) {
    if (error instanceof QueryError || error instanceof LimitExceeded)
      return { text, holds: false, because: [error.message] }
    throw error
  }
}

/** Operands that must be looked up: names and functions, but not literals. */
function nameIn(operand: OperandSyntax): string | undefined {
  if (operand.kind === 'number' || operand.kind === 'text') return undefined
  const text = operandText(operand)
  return /^(?:null|true|false)$/i.test(text) ? undefined : text
}

function operandText(operand: OperandSyntax): string {
  if (operand.kind === 'identifier') return operand.name
  if (operand.kind === 'function') return `${operand.name}(${operand.args.map(operandText).join(', ')})`
  return JSON.stringify(operand.value)
}

/** @param isTruth compared with true or false: SQL has the numbers 1 and 0 for them */
function valuesText(name: string, term: Term, frame: Frame, isTruth: boolean): string {
  if (name.split(/[^\w-]+/).some(mayAdmit)) return 'not shown'
  const shown: string[] = []
  for (const value of valuesOf(term, frame)) {
    if (shown.length === mostShown) return `${shown.join(' and ')} and others`
    shown.push(valueText(isTruth && (value === 1 || value === 0) ? value === 1 : value))
  }
  return shown.join(' and ')
}

/** Values for every row that the joins of the term can be bound to. */
function* valuesOf(term: Term, frame: Frame, joins = term.joins): Generator<SqlValue> {
  const [first, ...rest] = joins
  const join = first === undefined ? undefined : frame.joins[first]
  if (join === undefined) {
    yield term.value(frame)
    return
  }
  for (const binding of frame.domain(join)) {
    frame.bound[join.index] = binding
    yield* valuesOf(term, frame, rest)
  }
  frame.bound[join.index] = undefined
}

/** A value as shown in a reason: long values are cut. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'missing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text
}
