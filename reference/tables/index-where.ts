/**
 * The condition of a partial index, from tokens to a test of values. Comparisons are in `where-comparison.ts`.
 *
 * @module
 */

import type { Values } from '../vocabulary.ts'
import type { TokenCursor } from './sql-tokens.ts'
import { whereComparison } from './where-comparison.ts'
import { both, type ColumnOf, not, type Truth, type WhereNode } from './where-node.ts'

/** The WHERE clause of a partial index. */
export interface IndexWhere {
  readonly covers: (values: Values) => boolean
  /** The normalized text of the clause. */
  readonly text: string
}

/**
 * Reads comparisons with AND, OR, NOT and parentheses, with NULL logic: a row is covered only if the clause is true.
 *
 * @throws Error that names what was expected and what was found
 */
export function parseIndexWhere(cursor: TokenCursor, columnOf: ColumnOf): IndexWhere {
  const clause = disjunction(cursor, columnOf)
  return { covers: (values) => clause.read(values) === true, text: clause.text }
}

function disjunction(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Truth> {
  let left = conjunction(cursor, columnOf)
  while (cursor.take('OR')) left = or(left, conjunction(cursor, columnOf))
  return left
}

function conjunction(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Truth> {
  let left = negation(cursor, columnOf)
  while (cursor.take('AND')) left = and(left, negation(cursor, columnOf))
  return left
}

function negation(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Truth> {
  if (!cursor.take('NOT')) return condition(cursor, columnOf)
  const inner = negation(cursor, columnOf)
  return { read: (values) => not(inner.read(values)), text: `NOT ${inner.text}` }
}

function condition(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Truth> {
  if (!cursor.take('(')) return whereComparison(cursor, columnOf)
  const inner = disjunction(cursor, columnOf)
  cursor.expect(')')
  return { read: inner.read, text: `(${inner.text})` }
}

function and(left: WhereNode<Truth>, right: WhereNode<Truth>): WhereNode<Truth> {
  return {
    read: (values) => both(left.read(values), right.read(values)),
    text: `${left.text} AND ${right.text}`,
  }
}

function or(left: WhereNode<Truth>, right: WhereNode<Truth>): WhereNode<Truth> {
  return {
    read: (values) => not(both(not(left.read(values)), not(right.read(values)))),
    text: `${left.text} OR ${right.text}`,
  }
}
