import type { RuleText } from '../../spec/table-definition.ts'
import type { Environment, Row, StoredOrder, Table } from '../vocabulary.ts'
import { BoundedHeap } from './bounded-heap.ts'
import { type CompiledFilter, compileFilter, optionsFor } from './compile.ts'
import type { Paging } from './page.ts'
import type { Scope } from './scope.ts'
import { compileSort, type Sort, type Sortable } from './sort.ts'
import { sortInTurns } from './sort-in-turns.ts'

/** What is wanted of a table. */
export interface ListSelection {
  /** The table's listRule, or `''` if it does not apply. A superuser's scope ignores it. */
  rule: RuleText
  /** As the client sent them; `''` for none. */
  filter: string
  sort: string
  paging: Paging
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
  const { rule, filter, paging, scope } = selection
  const { page, perPage, skipTotal } = paging
  const mode = scope.superuser ? 'superuser' : 'client'
  const options = optionsFor(scope, table, mode)
  const conditions: CompiledFilter[] = []
  if (!scope.superuser && rule) conditions.push(compileFilter(rule, optionsFor(scope, table, 'rule')))
  if (filter !== '') conditions.push(compileFilter(filter, options))
  const sort = compileSort(selection.sort, options, selection.environment, scope.work)
  if (!scope.superuser && rule === null) return totals([], 0, paging)

  const offset = (page - 1) * perPage
  const found = candidatesOf(conditions, scope)
  const order = sort === undefined ? 'rowid' : found === undefined ? sort.stored : insertionOrder(sort.stored)
  const inOrder = order === '-rowid' ? found?.reverse() : found
  const matching = { rows: inOrder ?? scope.reader.scan(table, order), conditions, scope }
  if (sort !== undefined && order === undefined) {
    const all = conditions.length === 0 && !sort.mayHide
    return sortedPage(matching, sort, { paging, table, all })
  }

  const rows: Row[] = []
  const countKnown = conditions.length === 0
  let seen = 0
  await eachMatch(matching, (row) => {
    if (seen >= offset && rows.length < perPage) rows.push(row)
    seen += 1
    return rows.length < perPage || !(skipTotal || countKnown)
  })
  return totals(rows, countKnown ? scope.reader.count(table) : seen, paging)
}

/** Rows found by key, in insertion order, if a condition contains a key. */
function candidatesOf(conditions: readonly CompiledFilter[], scope: Scope): Row[] | undefined {
  let found: Row[] | undefined
  for (const condition of conditions) found ??= condition.candidates(scope)
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
  for (const row of rows) {
    if (work.endPiece()) await work.rest()
    work.spend(1)
    if (conditions.every((condition) => condition.matches(row, scope)) && !take(row)) return
  }
}

/**
 * Keeps no more rows than the page and those before it, or after it if those are fewer.
 *
 * @param all whether all rows of the table are on some page: only then is the number of rows after the page known
 */
async function sortedPage(
  matching: Matching,
  sort: Sort,
  { paging, table, all }: { paging: Paging; table: Table; all: boolean },
): Promise<SelectedPage> {
  const { scope } = matching
  const offset = (paging.page - 1) * paging.perPage
  const end = offset + paging.perPage
  const left = Math.max(scope.reader.count(table) - offset, 0)
  const fromEnd = left === 0 || (all && left < end)
  const held = fromEnd
    ? new BoundedHeap<Sortable>(left, (a, b) => sort.compare(b, a))
    : new BoundedHeap(end, sort.compare)
  let seen = 0
  await eachMatch(matching, (row) => {
    const sortable = sort.sortable(row, scope)
    if (sortable === undefined) return true
    seen += 1
    held.offer(sortable)
    return true
  })
  const found = await sortInTurns(held.items, held.compare, scope.work)
  const onPage = fromEnd ? found.reverse().slice(0, paging.perPage) : found.slice(offset)
  const rows = onPage.map(({ row }) => row)
  return totals(rows, seen, paging)
}

function totals(rows: Row[], count: number, { perPage, skipTotal }: Paging): SelectedPage {
  if (skipTotal) return { rows, totalItems: -1, totalPages: -1 }
  return { rows, totalItems: count, totalPages: Math.ceil(count / perPage) }
}
