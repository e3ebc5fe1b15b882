import type { RuleText } from '../../spec/table-definition.ts'
import type { Environment, Row, StoredOrder, Table } from '../vocabulary.ts'
import { type CompiledFilter, compileFilter, optionsFor } from './compile.ts'
import { Least } from './least.ts'
import type { Paging } from './page.ts'
import type { Scope } from './scope.ts'
import { compileSort, type Sort, type Sortable } from './sort.ts'

/** What is wanted of a table. */
export interface Selection {
  /** The table's listRule, or `''` where it does not apply. A superuser's scope ignores it. */
  rule: RuleText
  /** Texts as the client sent them; `''` for none. */
  filter: string
  sort: string
  paging: Paging
  scope: Scope
  environment: Environment
}

export interface SelectedPage {
  rows: Row[]
  /** -1 when not counted. */
  totalItems: number
  totalPages: number
}

/**
 * One page of the rows that satisfy rule and filter (contract-records 1.4), in one pass over the candidates. A
 * page beyond the end is empty, however large its number.
 *
 * @throws QueryError
 */
export function selectPage(table: Table, selection: Selection): SelectedPage {
  const { rule, filter, paging, scope } = selection
  const { page, perPage, skipTotal } = paging
  const mode = scope.superuser ? 'superuser' : 'client'
  const options = optionsFor(scope, table, mode)
  const conditions: CompiledFilter[] = []
  if (!scope.superuser && rule) conditions.push(compileFilter(rule, optionsFor(scope, table, 'rule')))
  if (filter !== '') conditions.push(compileFilter(filter, options))
  const sort = compileSort(selection.sort, options, selection.environment)
  if (!scope.superuser && rule === null) return totals([], 0, paging)

  const offset = (page - 1) * perPage
  const found = candidatesOf(conditions, scope)
  const order = sort === undefined ? 'rowid' : found === undefined ? sort.stored : insertionOrder(sort.stored)
  const inOrder = order === '-rowid' ? found?.reverse() : found
  const matching = matches(inOrder ?? scope.reader.scan(table, order), conditions, scope)
  if (sort !== undefined && order === undefined) {
    const all = conditions.length === 0 && !sort.mayHide
    return sortedPage(matching, sort, { paging, scope, table, all })
  }

  const rows: Row[] = []
  const countKnown = conditions.length === 0
  let seen = 0
  for (const row of matching) {
    if (seen >= offset && rows.length < perPage) rows.push(row)
    seen += 1
    if (rows.length === perPage && (skipTotal || countKnown)) break
  }
  return totals(rows, countKnown ? scope.reader.count(table) : seen, paging)
}

/** Rows that a key finds, in insertion order, where a condition names one. */
function candidatesOf(conditions: readonly CompiledFilter[], scope: Scope): Row[] | undefined {
  let found: Row[] | undefined
  for (const condition of conditions) found ??= condition.candidates(scope)
  return found
}

/** Rows that a key finds come by insertion: any other order has to be made of them. */
function insertionOrder(stored: StoredOrder | undefined): StoredOrder | undefined {
  return stored === 'rowid' || stored === '-rowid' ? stored : undefined
}

/** Those that satisfy all conditions, in the order in which they come. */
function* matches(rows: Iterable<Row>, conditions: readonly CompiledFilter[], scope: Scope): Iterable<Row> {
  for (const row of rows) {
    if (conditions.every((condition) => condition.matches(row, scope))) yield row
  }
}

/**
 * Holds no more rows than the page and what lies before it, or behind it where that is less.
 *
 * @param all whether all rows of the table are on some page: only then is it known what lies behind
 */
function sortedPage(
  matching: Iterable<Row>,
  sort: Sort,
  { paging, scope, table, all }: { paging: Paging; scope: Scope; table: Table; all: boolean },
): SelectedPage {
  const offset = (paging.page - 1) * paging.perPage
  const end = offset + paging.perPage
  const left = Math.max(scope.reader.count(table) - offset, 0)
  const fromEnd = left === 0 || (all && left < end)
  const held = fromEnd
    ? new Least<Sortable>(left, (a, b) => sort.compare(b, a))
    : new Least(end, sort.compare)
  let seen = 0
  for (const row of matching) {
    const sortable = sort.sortable(row, scope)
    if (sortable === undefined) continue
    seen += 1
    held.offer(sortable)
  }
  const found = held.inOrder()
  const onPage = fromEnd ? found.reverse().slice(0, paging.perPage) : found.slice(offset)
  const rows = onPage.map(({ row }) => row)
  return totals(rows, seen, paging)
}

function totals(rows: Row[], count: number, { perPage, skipTotal }: Paging): SelectedPage {
  if (skipTotal) return { rows, totalItems: -1, totalPages: -1 }
  return { rows, totalItems: count, totalPages: Math.ceil(count / perPage) }
}
