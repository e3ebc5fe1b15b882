/**
 * One comparison in the condition of an index, from tokens to a test that may be NULL.
 *
 * @module
 */

import { likeMatcher } from '../query/like.ts'
import { compareSides, type Side, sqlText } from '../query/sql-value.ts'
import type { Values } from '../vocabulary.ts'
import type { TokenCursor } from './sql-tokens.ts'
import { both, type ColumnOf, not, type Truth, type WhereNode } from './where-node.ts'
import { nothing, operand, truthOf } from './where-operand.ts'

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
 * Parses one comparison with an operator sign, IS, IN, BETWEEN or LIKE, as SQLite defines it.
 *
 * @throws Error that names the supported comparisons and what was found
 */
export function whereComparison(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Truth> {
  const left = operand(cursor, columnOf)
  if (cursor.take('IS')) return identity(left, cursor.take('NOT'), cursor, columnOf)
  if (cursor.take('NOTNULL')) return sameness(left, true, nothing)
  if (cursor.take('ISNULL')) return sameness(left, false, nothing)
  const negated = cursor.take('NOT')
  if (negated && cursor.take('NULL')) return sameness(left, true, nothing)
  if (cursor.take('IN')) return membership(left, negated, cursor, columnOf)
  if (cursor.take('BETWEEN')) return range(left, negated, cursor, columnOf)
  if (cursor.take('LIKE')) return likeness(left, negated, operand(cursor, columnOf))
  const sign = cursor.peek()?.value ?? ''
  const compare = Object.hasOwn(comparisons, sign) && !negated ? comparisons[sign] : undefined
  if (!compare) throw unknownComparison(cursor, `${left.text}${negated ? ' NOT' : ''}`)
  cursor.next()
  const right = operand(cursor, columnOf)
  return {
    read: (values) => compared(left.read(values), right.read(values), compare),
    text: `${left.text} ${sign} ${right.text}`,
  }
}

function unknownComparison(cursor: TokenCursor, after: string): Error {
  const known = [...Object.keys(comparisons), 'IS', 'IN', 'BETWEEN'].join(', ')
  const found = cursor.peek()
  return new Error(
    `WHERE can compare only by ${known} or LIKE; found ${found ? `"${found.value}"` : 'the end'} after "${after}"`,
  )
}

/** A comparison with NULL is neither true nor false. */
function compared(a: Side, b: Side, compare: Compare): Truth {
  const order = compareSides(a, b)
  return order === undefined ? null : compare(order)
}

/** For an empty list the result is known even for NULL. */
function membership(
  left: WhereNode<Side>,
  negated: boolean,
  cursor: TokenCursor,
  columnOf: ColumnOf,
): WhereNode<Truth> {
  cursor.expect('(')
  const members: WhereNode<Side>[] = []
  if (!cursor.take(')')) {
    do members.push(operand(cursor, columnOf))
    while (cursor.take(','))
    cursor.expect(')')
  }
  const isEqual: Compare = (order) => order === 0
  const read = (values: Values): Truth => {
    const wanted = left.read(values)
    const found = members.map((member) => compared(wanted, member.read(values), isEqual))
    if (found.includes(true)) return true
    return found.includes(null) ? null : false
  }
  const list = members.map(({ text }) => text).join(', ')
  return negatable(read, negated, (not) => `${left.text} ${not}IN (${list})`)
}

function range(
  left: WhereNode<Side>,
  negated: boolean,
  cursor: TokenCursor,
  columnOf: ColumnOf,
): WhereNode<Truth> {
  const lowest = operand(cursor, columnOf)
  cursor.expect('AND')
  const highest = operand(cursor, columnOf)
  const read = (values: Values): Truth => {
    const value = left.read(values)
    return both(
      compared(value, lowest.read(values), (order) => order >= 0),
      compared(value, highest.read(values), (order) => order <= 0),
    )
  }
  return negatable(read, negated, (not) => `${left.text} ${not}BETWEEN ${lowest.text} AND ${highest.text}`)
}

function likeness(left: WhereNode<Side>, negated: boolean, right: WhereNode<Side>): WhereNode<Truth> {
  const read = (values: Values): Truth => {
    const [text, pattern] = [shownText(left.read(values)), shownText(right.read(values))]
    return text === null || pattern === null ? null : sqlLike(text, pattern)
  }
  return negatable(read, negated, (not) => `${left.text} ${not}LIKE ${right.text}`)
}

/** The string that LIKE compares. */
function shownText({ value, floating }: Side): string | null {
  return typeof value === 'number' ? sqlText(value, floating) : value
}

function negatable(
  read: (values: Values) => Truth,
  negated: boolean,
  textWith: (not: string) => string,
): WhereNode<Truth> {
  if (!negated) return { read, text: textWith('') }
  return { read: (values) => not(read(values)), text: textWith('NOT ') }
}

/** IS TRUE and IS FALSE test a value as a condition; with any other operand the values must be identical. */
function identity(
  left: WhereNode<Side>,
  negated: boolean,
  cursor: TokenCursor,
  columnOf: ColumnOf,
): WhereNode<Truth> {
  const wanted = cursor.take('TRUE') ? true : cursor.take('FALSE') ? false : undefined
  if (wanted === undefined) return sameness(left, negated, operand(cursor, columnOf))
  return {
    read: (values) => (truthOf(left.read(values).value) === wanted) !== negated,
    text: `${left.text} IS ${negated ? 'NOT ' : ''}${wanted ? 'TRUE' : 'FALSE'}`,
  }
}

function sameness(left: WhereNode<Side>, negated: boolean, right: WhereNode<Side>): WhereNode<Truth> {
  return {
    read(values) {
      const [a, b] = [left.read(values), right.read(values)]
      const same = a.value === null || b.value === null ? a.value === b.value : compareSides(a, b) === 0
      return same !== negated
    },
    text: `${left.text} IS ${negated ? 'NOT ' : ''}${right.text}`,
  }
}

/**
 * LIKE in a table definition: letters A to Z match in either case, `%` matches any run and `_` one character. Unlike in
 * a filter, a backslash is an ordinary character.
 */
function sqlLike(text: string, pattern: string): boolean {
  return likeMatcher(pattern.replaceAll('\\', '\\\\'))(text)
}
