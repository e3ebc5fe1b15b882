import type { Row, Table } from '../vocabulary.ts'
import { BASE, type Frame } from './frame.ts'
import { rowsByUnique } from './keys.ts'
import type { SearchNode } from './search.ts'

/**
 * The only rows that can satisfy an expression, found by key: from any operand of an `&&` that compares a key, or from
 * all operands of an `||` if each does. Together the operands of an `&&` may compare all fields of a unique index. In
 * insertion order, each once. Undefined if no key helps: then all rows must be tested.
 *
 * @param frame a frame of no particular row: only values that are fixed for the request are read from it
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

/** The values that the operands of an `&&` require for fields of the row. */
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
