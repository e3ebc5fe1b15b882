import { decimalText } from '../fields/cast.ts'
import type { Value } from '../vocabulary.ts'
import { type TokenCursor, UnknownName } from './sql-tokens.ts'
import type { ColumnOf, Truth, WhereNode } from './where-node.ts'

/** A value as WHERE compares it. */
export type Scalar = string | number | null

/** NULL, as an operand. */
export const nothing: WhereNode<Scalar> = { read: () => null, text: 'NULL' }

/** Reads a column or a literal. */
export function operand(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Scalar> {
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
  if (word === 'SELECT') throw new Error('there can be no query in WHERE: write the values')
  throw new UnknownName(`no such column: ${token.value}`)
}

function literal(value: string | number): WhereNode<Scalar> {
  return { read: () => value, text: JSON.stringify(value) }
}

function scalar(value: Value): Scalar {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value
}

/** Numbers beside texts compare as numbers where the text is one, else as texts: what column affinity does. */
export function orderOf(a: string | number, b: string | number): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0
  const [numberA, numberB] = [Number(a), Number(b)]
  const numeric = String(a).trim() !== '' && String(b).trim() !== '' && !Number.isNaN(numberA + numberB)
  if (numeric) return numberA - numberB
  const [textA, textB] = [textOf(a), textOf(b)]
  return textA < textB ? -1 : textA > textB ? 1 : 0
}

/** The text that LIKE looks at. */
export function textOf(value: string | number): string {
  return typeof value === 'number' ? decimalText(value) : value
}

/** What a value is as a condition: a number other than 0, or a text that begins with one. */
export function truthOf(value: Scalar): Truth {
  if (value === null) return null
  const number = typeof value === 'number' ? value : Number.parseFloat(value)
  return !Number.isNaN(number) && number !== 0
}
