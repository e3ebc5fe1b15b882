/**
 * Finds a violation of a unique index with one look-up: equal rows have equal keys.
 *
 * @module
 */

import type { IndexColumn, UniqueIndex, Value } from '../vocabulary.ts'

/**
 * The key under which a unique index files a row: keys are equal exactly if SQLite considers the column values equal
 * under their collations. `undefined` if one of the values is NULL, since NULLs never equal each other. The empty
 * string is a value like any other.
 */
export function indexKey(index: UniqueIndex, values: readonly Value[]): string | undefined {
  const [only] = index.columns
  if (only && index.columns.length === 1) return columnKey(only, values[0] ?? null)
  const parts: string[] = []
  for (const [at, column] of index.columns.entries()) {
    const part = columnKey(column, values[at] ?? null)
    if (part === undefined) return undefined
    parts.push(part)
  }
  return JSON.stringify(parts)
}

function columnKey(column: IndexColumn, value: Value): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') return `n${value}`
  if (typeof value === 'boolean') return value ? 'n1' : 'n0'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `t${collate(column.collation, column.through ? functions[column.through](text) : text)}`
}

/** SQLite's own collations: they know ASCII letters and the space only. */
const functions: Readonly<Record<NonNullable<IndexColumn['through']>, (text: string) => string>> = {
  lower: (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  upper: (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  trim: (text) => withoutEnd(text.replace(/^ +/, '')),
  ltrim: (text) => text.replace(/^ +/, ''),
  rtrim: withoutEnd,
}

/** A pattern would try each run of spaces again from every space in it. */
function withoutEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end -= 1
  return text.slice(0, end)
}

function collate(collation: IndexColumn['collation'], text: string): string {
  if (collation === 'NOCASE') return functions.lower(text)
  if (collation === 'RTRIM') return functions.rtrim(text)
  return text
}
