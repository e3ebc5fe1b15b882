/**
 * The plan of a filter: which rows need to be tested at all. `compile.ts` requests it before it tests any row.
 *
 * @module
 */

import type { IndexEnd, IndexRange, Row, Table } from '../vocabulary.ts'
import { BASE, type Frame } from './frame.ts'
import { rowsByUnique } from './keys.ts'
import type { SearchNode } from './search.ts'

/** Maximum number of rows to read from keys and indexes for one expression. Beyond it, all rows are tested instead. */
const mostRead = 100_000
/** Number of rows that each index may return before the next one is tried, and the factor for the next round. */
const firstRound = 64
const growth = 8

/**
 * The only rows that can satisfy an expression, found by key or by a declared index: from any operand of an `&&`, or
 * from all operands of an `||`. The operands of an `&&` may together compare several fields of an index. If there are
 * several ways to find them, the one that finds the fewest rows is used. The rows are in insertion order, each once.
 * Undefined if no way finds less than half of the table: then all rows must be tested.
 *
 * @param frame a frame of no particular row: only values that are fixed for the request are read from it
 */
export function candidatesOf(tree: SearchNode, table: Table, frame: Frame): Row[] | undefined {
  const { reader } = frame.scope
  const ways = waysOf(tree, { table, frame, left: mostRead })
  const found = fewest(ways, Math.max(reader.count(table) >> 1, firstRound))
  if (found === undefined || isAscending(found)) return found
  return found.sort((a, b) => a.rowid - b.rowid).filter((row, at) => row !== found[at - 1])
}

interface Planning {
  table: Table
  frame: Frame
  /** Rows that may still be read. */
  left: number
}

/** Rows that contain all that can match, each possibly more than once; undefined if they are more than `most`. */
type Way = (most: number) => Row[] | undefined

function waysOf(node: SearchNode, planning: Planning): Way[] {
  if (node.kind === 'or') {
    const parts = node.children.map((child) => waysOf(child, planning))
    return parts.some((ways) => ways.length === 0) ? [] : [(most) => ofAll(parts, most)]
  }
  const ways = [node, ...node.children].flatMap((each) =>
    each.kind === 'comparison' ? byKey(each, planning) : [],
  )
  for (const child of node.children) if (child.kind !== 'comparison') ways.push(...waysOf(child, planning))
  return [...ways, ...byIndex(node, planning)]
}

/** The way that finds the fewest rows: each reads some rows in turn, and more in each round. */
function fewest(ways: readonly Way[], most: number): Row[] | undefined {
  for (let limit = Math.min(firstRound, most); ways.length > 0; limit = Math.min(limit * growth, most)) {
    for (const way of ways) {
      const rows = way(limit)
      if (rows !== undefined) return rows
    }
    if (limit === most) return undefined
  }
  return undefined
}

function ofAll(parts: readonly Way[][], most: number): Row[] | undefined {
  const all: Row[] = []
  for (const ways of parts) {
    const rows = fewest(ways, most - all.length)
    if (rows === undefined) return undefined
    for (const row of rows) all.push(row)
  }
  return all
}

function byKey(node: SearchNode, planning: Planning): Way[] {
  return (node.narrow ?? []).flatMap((narrowing) => {
    if (narrowing.join !== BASE || !narrowing.fixed) return []
    const rows = narrowing.rows(planning.frame)
    return rows === undefined ? [] : wayOf(rows, planning)
  })
}

/** The ways that lead through the indexes of the table. */
function byIndex(node: SearchNode, planning: Planning): Way[] {
  const { table, frame } = planning
  const { reader } = frame.scope
  const wanted: Wanted = { equal: new Map(), ranges: new Map() }
  collect(node, frame, wanted)
  const unique = rowsByUnique(reader, table, wanted.equal)
  if (unique !== undefined) return [wayOf(unique, planning)]
  return table.valueIndexes.flatMap((index) => {
    const names = index.fields.map(({ name }) => name)
    const equal = names.map((name) => wanted.equal.get(name))
    const columns = equal.includes(undefined) ? equal.indexOf(undefined) : equal.length
    const range = wanted.ranges.get(names[columns] ?? '')
    if (columns === 0 && range === undefined) return []
    const within = { ...range, equal: equal.slice(0, columns).map((value) => value ?? null) }
    return wayOf(reader.within(table, index, within), planning)
  })
}

/** What the operands of an `&&` require of fields of the row. */
interface Wanted {
  equal: Map<string, string | number>
  ranges: Map<string, Pick<IndexRange, 'from' | 'to'>>
}

function collect(node: SearchNode, frame: Frame, wanted: Wanted): void {
  if (node.kind === 'or') return
  for (const child of node.children) collect(child, frame, wanted)
  for (const { field, fixed, value } of node.narrow ?? []) {
    const equal = field !== undefined && fixed ? value(frame) : undefined
    if (field !== undefined && equal !== undefined) wanted.equal.set(field.name, equal)
  }
  for (const { field, end, included, value } of node.limits ?? []) {
    const limit = value(frame)
    if (limit === null) continue
    const before = wanted.ranges.get(field.name)
    // If there are two limits, either is right: rows outside the other one are tested and do not match.
    wanted.ranges.set(field.name, { ...before, [end]: { value: limit, included } satisfies IndexEnd })
  }
}

/** Rows are read only once: each round continues where the one before it stopped. */
function wayOf(rows: Iterable<Row>, planning: Planning): Way {
  const { work } = planning.frame.scope
  const iterator = rows[Symbol.iterator]()
  const found: Row[] = []
  let ended = false
  return (most) => {
    while (!ended && found.length <= most && planning.left > 0) {
      const next = iterator.next()
      if (next.done === true) ended = true
      else {
        found.push(next.value)
        planning.left -= 1
        work.endPiece()
      }
    }
    return ended && found.length <= most ? found : undefined
  }
}

function isAscending(rows: readonly Row[]): boolean {
  return rows.every((row, at) => at === 0 || row.rowid > (rows[at - 1] as Row).rowid)
}
