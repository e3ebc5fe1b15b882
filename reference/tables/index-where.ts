import { decimalText } from '../fields/cast.ts'
import type { Value, Values } from '../vocabulary.ts'
import { type TokenCursor, UnknownName } from './sql-tokens.ts'

/** The WHERE clause of a partial index. */
export interface IndexWhere {
  readonly covers: (values: Values) => boolean
  /** The clause in one spelling. */
  readonly text: string
}

/** True, false or NULL, which is neither. */
type Truth = boolean | null
type Scalar = string | number | null
type ColumnOf = (name: string) => string | undefined

interface Node<T> {
  read: (values: Values) => T
  text: string
}

type Compare = (order: number) => boolean

const comparisons: Readonly<Record<string, Compare>> = {
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/**
 * Reads comparisons with AND, OR, NOT, parentheses and IS [NOT] NULL, with NULL logic: a row is covered only where
 * the clause is true.
 *
 * @throws Error that says what was expected and what stands there
 */
export function parseIndexWhere(cursor: TokenCursor, columnOf: ColumnOf): IndexWhere {
  const clause = disjunction(cursor, columnOf)
  return { covers: (values) => clause.read(values) === true, text: clause.text }
}

function disjunction(cursor: TokenCursor, columnOf: ColumnOf): Node<Truth> {
  let left = conjunction(cursor, columnOf)
  while (cursor.take('OR')) left = either(left, conjunction(cursor, columnOf))
  return left
}

function conjunction(cursor: TokenCursor, columnOf: ColumnOf): Node<Truth> {
  let left = negation(cursor, columnOf)
  while (cursor.take('AND')) left = both(left, negation(cursor, columnOf))
  return left
}

function negation(cursor: TokenCursor, columnOf: ColumnOf): Node<Truth> {
  if (!cursor.take('NOT')) return comparison(cursor, columnOf)
  const inner = negation(cursor, columnOf)
  return { read: (values) => not(inner.read(values)), text: `NOT ${inner.text}` }
}

function comparison(cursor: TokenCursor, columnOf: ColumnOf): Node<Truth> {
  if (cursor.take('(')) {
    const inner = disjunction(cursor, columnOf)
    cursor.expect(')')
    return { read: inner.read, text: `(${inner.text})` }
  }
  const left = operand(cursor, columnOf)
  if (cursor.take('IS')) return identity(left, cursor.take('NOT'), operand(cursor, columnOf))
  if (cursor.take('NOTNULL')) return identity(left, true, nothing)
  if (cursor.take('ISNULL')) return identity(left, false, nothing)
  const sign = cursor.peek()?.value ?? ''
  const compare = comparisons[sign]
  if (!compare) throw cursor.unexpected('a comparison')
  cursor.next()
  const right = operand(cursor, columnOf)
  return {
    read(values) {
      const [a, b] = [left.read(values), right.read(values)]
      return a === null || b === null ? null : compare(orderOf(a, b))
    },
    text: `${left.text} ${sign} ${right.text}`,
  }
}

const nothing: Node<Scalar> = { read: () => null, text: 'NULL' }

function identity(left: Node<Scalar>, negated: boolean, right: Node<Scalar>): Node<Truth> {
  return {
    read(values) {
      const [a, b] = [left.read(values), right.read(values)]
      const same = a === null || b === null ? a === b : orderOf(a, b) === 0
      return same !== negated
    },
    text: `${left.text} IS ${negated ? 'NOT ' : ''}${right.text}`,
  }
}

function operand(cursor: TokenCursor, columnOf: ColumnOf): Node<Scalar> {
  const token = cursor.peek()
  if (!token || token.kind === 'sign') throw cursor.unexpected('a column or a literal')
  cursor.next()
  if (token.kind === 'text') return literal(token.value)
  if (token.kind === 'number') return literal(Number(token.value))
  const word = token.quote ? '' : token.value.toUpperCase()
  if (word === 'NULL') return nothing
  if (word === 'TRUE' || word === 'FALSE') return literal(word === 'TRUE' ? 1 : 0)
  const field = columnOf(token.value)
  if (field !== undefined) return { read: (values) => scalar(values[field] ?? null), text: field }
  if (token.quote === '"') return literal(token.value)
  if (cursor.take('(')) throw new Error(`"${token.value}(...)" cannot be read here`)
  throw new UnknownName(`no such column: ${token.value}`)
}

function literal(value: string | number): Node<Scalar> {
  return { read: () => value, text: JSON.stringify(value) }
}

function scalar(value: Value): Scalar {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value
}

/** Numbers beside texts compare as numbers where the text is one, else as texts: what column affinity does. */
function orderOf(a: string | number, b: string | number): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0
  const [numberA, numberB] = [Number(a), Number(b)]
  const numeric = String(a).trim() !== '' && String(b).trim() !== '' && !Number.isNaN(numberA + numberB)
  if (numeric) return numberA - numberB
  const [textA, textB] = [
    typeof a === 'number' ? decimalText(a) : a,
    typeof b === 'number' ? decimalText(b) : b,
  ]
  return textA < textB ? -1 : textA > textB ? 1 : 0
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function both(left: Node<Truth>, right: Node<Truth>): Node<Truth> {
  return {
    read(values) {
      const [a, b] = [left.read(values), right.read(values)]
      if (a === false || b === false) return false
      return a === null || b === null ? null : true
    },
    text: `${left.text} AND ${right.text}`,
  }
}

function either(left: Node<Truth>, right: Node<Truth>): Node<Truth> {
  return {
    read(values) {
      const [a, b] = [left.read(values), right.read(values)]
      if (a === true || b === true) return true
      return a === null || b === null ? null : false
    },
    text: `${left.text} OR ${right.text}`,
  }
}
