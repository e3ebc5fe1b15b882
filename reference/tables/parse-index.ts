/**
 * One index, from its CREATE INDEX statement to columns and condition: `sql-tokens.ts` splits the statement, and
 * `index-where.ts` reads the condition.
 *
 * @module
 */

import type { IndexColumn, UniqueIndex } from '../vocabulary.ts'
import { parseIndexWhere } from './index-where.ts'
import { sqlTokens, TokenCursor, UnknownName } from './sql-tokens.ts'
import type { ColumnOf } from './where-node.ts'

/** A parsed CREATE INDEX statement. */
export interface ParsedIndex extends UniqueIndex {
  readonly unique: boolean
  /** Its meaning, whatever its name and spelling: statements with the same text create the same index. */
  readonly fingerprint: string
}

const collations: readonly string[] = ['BINARY', 'NOCASE', 'RTRIM']
const functions: readonly string[] = ['lower', 'upper', 'trim', 'ltrim', 'rtrim']

/**
 * Reads `CREATE [UNIQUE] INDEX [IF NOT EXISTS] name ON table (column [COLLATE x] [ASC|DESC], ...) [WHERE ...]`. The
 * table name is ignored. A column is a name, or one of a few functions of one; for a plain index it can be any
 * expression, because such an index has no effect here.
 *
 * @param columnOf the field with a name, in any letter case
 * @throws Error that names what was expected and what was found
 */
export function parseIndex(statement: string, columnOf: ColumnOf): ParsedIndex {
  try {
    return parseWhole(statement, columnOf)
  } catch (error) {
    const name = plainIndex.exec(statement)?.[1]
    if (name === undefined || error instanceof UnknownName) throw error
    return { name, unique: false, columns: [], fingerprint: statement }
  }
}

const plainIndex =
  /^\s*CREATE\s+INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[\w`"[\]]+\.)?[`"[]?(\w+)[`"\]]?\s+ON\s+[`"[]?\w+[`"\]]?\s*\(/i

function parseWhole(statement: string, columnOf: ColumnOf): ParsedIndex {
  const cursor = new TokenCursor(sqlTokens(statement))
  cursor.expect('CREATE')
  const unique = cursor.take('UNIQUE')
  cursor.expect('INDEX')
  if (cursor.take('IF')) {
    cursor.expect('NOT')
    cursor.expect('EXISTS')
  }
  if (isBare(cursor, 'ON')) throw cursor.unexpected('the name of the index')
  const name = readName(cursor, 'the name of the index')
  cursor.expect('ON')
  readName(cursor, 'the name of the table')
  cursor.expect('(')
  const columns = [readColumn(cursor, columnOf)]
  while (cursor.take(',')) columns.push(readColumn(cursor, columnOf))
  cursor.expect(')')
  const where = cursor.take('WHERE') ? parseIndexWhere(cursor, columnOf) : undefined
  cursor.take(';')
  if (!cursor.done) throw cursor.unexpected('the end')
  const fingerprint = JSON.stringify([unique, columns, where?.text ?? ''])
  return { name, unique, columns, fingerprint, covers: where?.covers }
}

function readName(cursor: TokenCursor, what: string): string {
  const token = cursor.peek()
  if (token?.kind !== 'name' || token.value === '') throw cursor.unexpected(what)
  cursor.next()
  return cursor.take('.') ? readName(cursor, what) : token.value
}

function readColumn(cursor: TokenCursor, columnOf: ColumnOf): IndexColumn {
  const first = readName(cursor, 'the name of a column')
  const through = cursor.take('(') ? first.toLowerCase() : undefined
  if (through !== undefined && !functions.includes(through)) {
    throw new Error(`"${first}(...)" cannot be indexed here. Available functions: ${functions.join(', ')}`)
  }
  const name = through === undefined ? first : readName(cursor, 'the name of a column')
  if (through !== undefined) cursor.expect(')')
  const field = columnOf(name)?.name
  if (field === undefined) throw new UnknownName(`no such column: ${name}`)
  const collation = cursor.take('COLLATE') ? readName(cursor, 'a collation').toUpperCase() : 'BINARY'
  if (!collations.includes(collation)) {
    throw new UnknownName(`no such collation sequence: ${collation}`)
  }
  if (!cursor.take('ASC')) cursor.take('DESC')
  return {
    field,
    through: through as IndexColumn['through'],
    collation: collation as IndexColumn['collation'],
  }
}

function isBare(cursor: TokenCursor, word: string): boolean {
  const token = cursor.peek()
  return token?.kind === 'name' && token.quote === undefined && token.value.toUpperCase() === word
}
