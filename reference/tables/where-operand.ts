/**
 * Operands in the condition of an index: columns, and literals as SQLite reads them.
 *
 * @module
 */

import { affinityOf } from '../query/column.ts'
import type { Side } from '../query/sql-value.ts'
import type { FieldOutline, SqlValue } from '../vocabulary.ts'
import { type TokenCursor, UnknownName } from './sql-tokens.ts'
import type { ColumnOf, Truth, WhereNode } from './where-node.ts'

/** NULL, as an operand. */
export const nothing = constant(null, 'NULL')

/** Reads a column or a literal. */
export function operand(cursor: TokenCursor, columnOf: ColumnOf): WhereNode<Side> {
  const token = cursor.peek()
  if (!token || token.kind === 'sign') throw cursor.unexpected('a column or a literal')
  cursor.next()
  if (token.kind === 'text') return constant(token.value)
  if (token.kind === 'number') return number(token.value)
  const word = token.quote ? '' : token.value.toUpperCase()
  if (word === 'NULL') return nothing
  if (word === 'TRUE' || word === 'FALSE') return constant(word === 'TRUE' ? 1 : 0)
  const field = columnOf(token.value)
  if (field !== undefined) return column(field)
  if (token.quote === '"') return constant(token.value)
  if (cursor.take('(')) throw new Error(`"${token.value}(...)" cannot be read here`)
  if (word === 'SELECT') throw new Error('there can be no query in WHERE: write the values')
  throw new UnknownName(`no such column: ${token.value}`)
}

function column(field: FieldOutline): WhereNode<Side> {
  const affinity = affinityOf(field)
  return {
    read: (values) => ({ value: field.column.read(values[field.name]), affinity, floating: false }),
    text: field.name,
  }
}

/** A number with a fraction or an exponent is formatted as a floating point number when converted to a string. */
function number(written: string): WhereNode<Side> {
  return constant(Number(written), written, /[.e]/i.test(written))
}

function constant(value: SqlValue, text = JSON.stringify(value), floating = false): WhereNode<Side> {
  const side: Side = { value, affinity: 'none', floating }
  return { read: () => side, text }
}

/** The truth of a value as a condition: true for a number other than 0, or a string that begins with one. */
export function truthOf(value: SqlValue): Truth {
  if (value === null) return null
  const asNumber = typeof value === 'number' ? value : Number.parseFloat(value)
  return !Number.isNaN(asNumber) && asNumber !== 0
}
