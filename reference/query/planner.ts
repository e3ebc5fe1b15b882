import type { Row } from '../vocabulary.ts'
import { BASE, type Frame } from './frame.ts'
import type { Node } from './search.ts'

/**
 * Rows that alone can satisfy an expression, found by key: from any part of an `&&` that names a key, or from all
 * parts of an `||` when each does. In insertion order, each once. Undefined when no key helps: then all rows must
 * be asked.
 *
 * @param frame a frame of no particular row: only values that the request decides are read from it.
 */
export function candidatesOf(tree: Node, frame: Frame): Row[] | undefined {
  const found = rowsOf(tree, frame)
  if (found === undefined) return undefined
  const distinct = [...new Map([...found].map((row) => [row.rowid, row])).values()]
  return distinct.sort((a, b) => a.rowid - b.rowid)
}

function rowsOf(node: Node, frame: Frame): Iterable<Row> | undefined {
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
      const rows = rowsOf(child, frame)
      if (rows !== undefined) return rows
    }
    return undefined
  }
  const parts: Row[] = []
  for (const child of node.children) {
    const rows = rowsOf(child, frame)
    if (rows === undefined) return undefined
    for (const row of rows) parts.push(row)
  }
  return parts
}
