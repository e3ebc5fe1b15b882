import type { Row, Table } from '../vocabulary.ts'
import { BASE, type Frame } from './frame.ts'
import { rowsByUnique } from './keys.ts'
import type { SearchNode } from './search.ts'

/**
 * Rows that alone can satisfy an expression, found by key: from any part of an `&&` that names a key, or from all
 * parts of an `||` when each does. Together the parts of an `&&` may name a unique index of several fields. In
 * insertion order, each once. Undefined when no key helps: then all rows must be asked.
 *
 * @param frame a frame of no particular row: only values that the request decides are read from it.
 */
export function candidatesOf(tree: SearchNode, table: Table, frame: Frame): Row[] | undefined {
  const found = rowsOf(tree, table, frame)
  if (found === undefined) return undefined
  const distinct = [...new Map([...found].map((row) => [row.rowid, row])).values()]
  return distinct.sort((a, b) => a.rowid - b.rowid)
}

function rowsOf(node: SearchNode, table: Table, frame: Frame): Iterable<Row> | undefined {
  if (node.kind === 'comparison') {
    for (const narrowing of node.narrow ?? []) {
      if (narrowing.join !== BASE || !narrowing.fixed) continue
      const rows = narrowing.rows(frame)
      if (rows !== undefined) return rows
    }
    return undefined
  }
  if (node.kind === 'and') {
    for (const child of node.children) {
      const rows = rowsOf(child, table, frame)
      if (rows !== undefined) return rows
    }
    return rowsByUnique(frame.scope.reader, table, equalities(node, frame))
  }
  const parts: Row[] = []
  for (const child of node.children) {
    const rows = rowsOf(child, table, frame)
    if (rows === undefined) return undefined
    for (const row of rows) {
      frame.scope.work.spend(1)
      parts.push(row)
    }
  }
  return parts
}

/** What the parts of an `&&` want fields of the row to equal. */
function equalities(node: SearchNode, frame: Frame): Map<string, string | number> {
  const found = new Map<string, string | number>()
  for (const child of node.children) {
    if (child.kind === 'and') for (const [name, value] of equalities(child, frame)) found.set(name, value)
    for (const { field, fixed, value } of child.narrow ?? []) {
      const wanted = field !== undefined && fixed ? value(frame) : undefined
      if (field !== undefined && wanted !== undefined) found.set(field.name, wanted)
    }
  }
  return found
}
