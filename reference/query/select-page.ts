/**
 * The flow of a list, from its parameters to the rows of one page: compile, find candidates, test, sort, cut.
 *
 * @module
 */

import type { RuleText } from '../../spec/table-definition.ts'
import type { Work } from '../limits/work.ts'
import { compareColumns } from '../store/indexed-rows.ts'
import { Scan } from '../store/scan.ts'
import type { Environment, Row, StoredOrder, Table } from '../vocabulary.ts'
import { BoundedHeap } from './bounded-heap.ts'
import { type CompiledFilter, compileFilter, optionsFor } from './compile.ts'
import type { Pagination } from './pagination.ts'
import { inParameter } from './query-error.ts'
import type { Scope } from './scope.ts'
import { compileSort, type IndexOrder, type Sort, type Sortable } from './sort.ts'
import { sortInTurns } from './sort-in-turns.ts'

/** What is wanted of a table. */
export interface ListSelection {
  /** The table's listRule, or `''` if it does not apply. A superuser's scope ignores it. */
  rule: RuleText
  /** As the client sent them; `''` for none. */
  filter: string
  sort: string
  paging: Pagination
  scope: Scope
  environment: Environment
}

export interface SelectedPage {
  rows: Row[]
  /** -1 if not counted. */
  totalItems: number
  totalPages: number
}

/**
 * One page of the rows that satisfy rule and filter (contract-records 1.4), in one pass over the candidates. A page
 * after the last one is empty, however large its number.
 *
 * @throws QueryError
 */
export async function selectPage(table: Table, selection: ListSelection): Promise<SelectedPage> {
  const { rule, filter, paging: pagination, scope } = selection
  const { page, perPage, skipTotal } = pagination
  const mode = scope.superuser ? 'superuser' : 'client'
  const options = optionsFor(scope, table, mode)
  const conditions: CompiledFilter[] = []
  if (!scope.superuser && rule) conditions.push(compileFilter(rule, optionsFor(scope, table, 'rule')))
  if (filter !== '') conditions.push(inParameter('filter', filter, () => compileFilter(filter, options)))
  const sort = inParameter('sort', selection.sort, () =>
    compileSort(selection.sort, options, selection.environment, scope.work),
  )
  if (!scope.superuser && rule === null) return totals([], 0, pagination)

  const offset = (page - 1) * perPage
  const found = candidatesOf(conditions, scope)
  const order = sort === undefined ? 'rowid' : found === undefined ? sort.stored : insertionOrder(sort.stored)
  const inOrder = order === '-rowid' ? found?.reverse() : found
  const all = conditions.length === 0 && sort?.mayHide !== true
  if (sort !== undefined && order === undefined) {
    if (inOrder === undefined && sort.indexed !== undefined)
      return indexedPage(sort, sort.indexed, { conditions, scope, paging: pagination, table })
    const matching = { rows: inOrder ?? scope.reader.scan(table), conditions, scope }
    return sortedPage(matching, sort, { paging: pagination, table, all })
  }

  // Nothing is tested on the rows before the page.
  const skip = conditions.length === 0 ? Math.min(offset, scope.reader.count(table)) : 0
  const matching = { rows: inOrder ?? scope.reader.scan(table, order, skip), conditions, scope }
  const rows: Row[] = []
  let seen = skip
  await eachMatch(matching, (row) => {
    if (seen >= offset && rows.length < perPage) rows.push(row)
    seen += 1
    return rows.length < perPage || !(skipTotal || all)
  })
  return totals(rows, all ? scope.reader.count(table) : seen, pagination)
}

/** Rows found by key or index, in insertion order, if a condition contains one: the fewest, if several do. */
function candidatesOf(conditions: readonly CompiledFilter[], scope: Scope): Row[] | undefined {
  let found: Row[] | undefined
  for (const condition of conditions) {
    const rows = condition.candidates(scope)
    if (rows !== undefined && rows.length < (found?.length ?? Infinity)) found = rows
  }
  return found
}

/** Rows found by key come in insertion order: for any other order they must be sorted. */
function insertionOrder(stored: StoredOrder | undefined): StoredOrder | undefined {
  return stored === 'rowid' || stored === '-rowid' ? stored : undefined
}

/** Candidate rows and the conditions that they must satisfy. */
interface Matching {
  rows: Iterable<Row>
  conditions: readonly CompiledFilter[]
  scope: Scope
}

/**
 * Passes the matching rows to `take`, in order, until it returns false. Other requests can run between two rows: the
 * data that is read does not change meanwhile.
 */
async function eachMatch({ rows, conditions, scope }: Matching, take: (row: Row) => boolean): Promise<void> {
  const { work } = scope
  const matching = { test: both(conditions.map((condition) => condition.matcher(scope))), take, work }
  for (const piece of Scan.piecesOf(rows)) {
    for (let at = 0; at < piece.length; ) {
      at = takeMatches(piece, at, matching)
      if (at === stopped) return
      if (at < piece.length) await work.rest()
    }
  }
}

const stopped = -1

/**
 * The part of `eachMatch` that waits for nothing. It is a function of its own because the engine makes a loop much faster
 * outside an async function.
 *
 * @returns the row before which other requests have to run, the length of the piece, or `stopped`
 */
function takeMatches(
  piece: readonly Row[],
  from: number,
  { test, take, work }: { test(row: Row): boolean; take(row: Row): boolean; work: Work },
): number {
  for (let at = from; at < piece.length; at += 1) {
    if (work.endPiece()) return at
    work.spend(1)
    const row = piece[at] as Row
    if (test(row) && !take(row)) return stopped
  }
  return piece.length
}

/** A list has at most two conditions: the rule and the filter. */
function both([first, second]: readonly ((row: Row) => boolean)[]): (row: Row) => boolean {
  if (first === undefined) return () => true
  return second === undefined ? first : (row) => first(row) && second(row)
}

/**
 * Keeps no more rows than the page and those before it, or after it if those are fewer.
 *
 * @param all whether all rows of the table are on some page: only then is the number of rows after the page known
 */
async function sortedPage(
  matching: Matching,
  sort: Sort,
  { paging: pagination, table, all }: { paging: Pagination; table: Table; all: boolean },
): Promise<SelectedPage> {
  const { scope } = matching
  const offset = (pagination.page - 1) * pagination.perPage
  const end = offset + pagination.perPage
  const left = Math.max(scope.reader.count(table) - offset, 0)
  const fromEnd = left === 0 || (all && left < end)
  const held = fromEnd
    ? new BoundedHeap<Sortable>(left, (a, b) => sort.compare(b, a))
    : new BoundedHeap(end, sort.compare)
  const read = sort.reading(scope)
  let seen = 0
  let spare: Sortable | undefined
  await eachMatch(matching, (row) => {
    const sortable = read(row, spare)
    if (sortable === undefined) return true
    seen += 1
    spare = held.offer(sortable)
    return true
  })
  const found = await sortInTurns(held.items, held.compare, scope.work)
  const onPage = fromEnd ? found.reverse().slice(0, pagination.perPage) : found.slice(offset)
  const rows = onPage.map(({ row }) => row)
  return totals(rows, seen, pagination)
}

/**
 * Reads the rows in the order of an index. Only those with the same first keys as a row of the page have to be sorted.
 * Without conditions it begins at the nearer end.
 */
async function indexedPage(
  sort: Sort,
  { index, keys, descending, exact }: IndexOrder,
  {
    conditions,
    scope,
    paging: pagination,
    table,
  }: Omit<Matching, 'rows'> & { paging: Pagination; table: Table },
): Promise<SelectedPage> {
  const { page, perPage, skipTotal } = pagination
  const offset = (page - 1) * perPage
  const all = conditions.length === 0
  const count = scope.reader.count(table)
  if (all && offset >= count) return totals([], count, pagination)
  const fromEnd = all && offset > count >> 1
  // Positions in the order of reading.
  const begin = fromEnd ? Math.max(count - offset - perPage, 0) : offset
  const end = fromEnd ? count - offset : offset + perPage
  const rows = scope.reader.within(table, index, { equal: [] }, descending !== fromEnd)
  // In ascending order, rows with equal keys are in insertion order, too.
  const mayCut = exact && !descending
  let held: Row[] = []
  let seen = 0
  let heldFrom = 0
  let last: Row | undefined
  let complete = false
  await eachMatch({ rows, conditions, scope }, (row) => {
    const isNew = last === undefined || compareColumns(index.fields, keys, last, row) !== 0
    last = row
    if (isNew && seen <= begin) {
      held = []
      heldFrom = seen
    }
    complete ||= seen >= end && (isNew || mayCut)
    if (!complete) held.push(row)
    seen += 1
    return !complete || !(skipTotal || all)
  })
  const read = sort.reading(scope)
  const sortables = held.flatMap((row) => read(row) ?? [])
  const sorted = await sortInTurns(sortables, sort.compare, scope.work)
  const first = fromEnd ? count - heldFrom - held.length : heldFrom
  const onPage = sorted.slice(offset - first, offset - first + perPage).map(({ row }) => row)
  return totals(onPage, all ? count : seen, pagination)
}

function totals(rows: Row[], count: number, { perPage, skipTotal }: Pagination): SelectedPage {
  if (skipTotal) return { rows, totalItems: -1, totalPages: -1 }
  return { rows, totalItems: count, totalPages: Math.ceil(count / perPage) }
}
