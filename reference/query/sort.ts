/**
 * From the text of `sort` to an order of rows. Names are resolved as in filters; `list.ts` sorts.
 *
 * @module
 */

import { lengthSteps, type Work } from '../limits/work.ts'
import type { Environment, Field, Row, SqlValue, StoredOrder, Table, ValueIndex } from '../vocabulary.ts'
import { type CompileOptions, frameMaker, isReachable, startCompilation } from './compile.ts'
import { BASE, type Frame } from './frame.ts'
import { macros } from './macros.ts'
import { QueryError } from './query-error.ts'
import { resolveName } from './resolve.ts'
import type { Scope } from './scope.ts'
import { compareValues } from './sql-value.ts'
import type { Term } from './term.ts'

const MAX_KEYS = 8
const MAX_KEY_BYTES = 255

/** A compiled sort: what to compare of a row, and how. */
export interface Sort {
  /**
   * Reads the sort values of the rows of a request; undefined if a listRule of a related table hides the row. An item
   * that is not needed any more can be used again.
   */
  reading(scope: Scope): (row: Row, spare?: Sortable) => Sortable | undefined
  /** Rows of equal keys keep insertion order. */
  compare(a: Sortable, b: Sortable): number
  /** Whether a row can be hidden. */
  mayHide: boolean
  /** The store can iterate in this order: nothing needs to be compared. */
  stored?: StoredOrder | undefined
  /** The same, except for rows with equal first keys. */
  indexed?: IndexOrder | undefined
}

export interface Sortable {
  row: Row
  /** Value of the first key. */
  first: SqlValue
  /** Values of the next keys. Each one is read if those before it equal another row's. */
  others: SqlValue[] | undefined
  /**
   * The frame to read the next value from, one for all rows if there are no joins. A page far back keeps many rows, and
   * none of these for a single key.
   */
  frame: Frame | undefined
}

interface Key {
  descending: boolean
  read(frame: Frame, row: Row): SqlValue
  stored?: StoredOrder | undefined
  /** Field of the row that it reads. */
  field?: Field | undefined
}

/** An index that contains the rows in the order of the first keys of a sort. */
export interface IndexOrder {
  index: ValueIndex
  /** How many keys have their order in the index, all in the same direction. */
  keys: number
  descending: boolean
  /** The index decides on nothing else, and neither does the sort. */
  exact: boolean
}

/**
 * Compiles a sort (contract-records 1.5): names with an optional sign, `@random`, `@rowid`. Undefined without keys:
 * rows come in insertion order.
 *
 * @param work of the request, which counts every comparison
 * @throws QueryError for a name that the caller cannot read, a hidden email included, and for too many keys
 */
export function compileSort(
  text: string,
  options: CompileOptions,
  environment: Environment,
  work: Work,
): Sort | undefined {
  if (text === '') return undefined
  const written = text.split(',')
  if (written.length > MAX_KEYS) throw new QueryError(`Sort: more than ${MAX_KEYS} keys.`)
  const compilation = startCompilation(options)

  const keys = written.map((part): Key => {
    const trimmed = part.trim()
    if (Buffer.byteLength(trimmed) > MAX_KEY_BYTES) throw new QueryError('Sort: a key is too long.')
    const descending = trimmed.startsWith('-')
    const name = /^[+-]/.test(trimmed) ? trimmed.slice(1) : trimmed
    if (name === '@random') return { descending, read: () => randomNumber(environment) }
    if (name === '@rowid')
      return { descending, read: (_, row) => row.rowid, stored: descending ? '-rowid' : 'rowid' }
    if (!/^[\w@]/.test(name) || macros.has(name)) throw new QueryError(`Sort: "${name}" is not a field.`)
    const term = resolveName(compilation, name)
    if (term.constant || term.guard !== undefined)
      throw new QueryError(`Sort: "${name}" cannot be sorted by.`)
    const { seek } = term
    const field = seek?.join === BASE ? seek.field : undefined
    const read =
      field === undefined
        ? (frame: Frame) => joinedValue(term, frame)
        : (_: Frame, row: Row) => field.column.read(row.values[field.name])
    return { descending, read, field, stored: name !== 'id' ? undefined : descending ? '-id' : 'id' }
  })

  const frameOf = frameMaker(compilation.joins)
  const [first] = keys as [Key]
  // No two rows share this key, so later keys decide nothing, except by hiding rows.
  const mayHide = compilation.joins.length > 0
  const stored = mayHide ? undefined : first.stored
  return {
    mayHide,
    stored,
    indexed: mayHide ? undefined : orderByIndex(options.table, keys),
    reading(scope) {
      let frame: Frame | undefined
      return (row, spare) => {
        if (frame === undefined || mayHide) frame = frameOf(row, scope)
        if (mayHide && !isReachable(frame)) return undefined
        frame.row = row
        const value = first.read(frame, row)
        const rest = keys.length > 1 ? frame : undefined
        if (spare === undefined) return { row, first: value, others: undefined, frame: rest }
        spare.row = row
        spare.first = value
        spare.others = undefined
        spare.frame = rest
        return spare
      }
    },
    compare(a, b) {
      for (let at = 0; at < keys.length; at += 1) {
        const key = keys[at] as Key
        const [left, right] = [valueAt(a, at, key), valueAt(b, at, key)]
        work.spend(1 + Math.min(lengthSteps(left), lengthSteps(right)))
        const order = compareValues(left, right)
        if (order !== 0) return key.descending ? -order : order
      }
      return a.row.rowid - b.row.rowid
    },
  }
}

/** The declared index that decides on most of the keys. */
function orderByIndex({ valueIndexes }: Table, keys: readonly Key[]): IndexOrder | undefined {
  const [first] = keys
  if (first === undefined) return undefined
  let best: IndexOrder | undefined
  for (const index of valueIndexes) {
    const { fields } = index
    let alike = 0
    while (
      alike < keys.length &&
      keys[alike]?.descending === first.descending &&
      keys[alike]?.field !== undefined &&
      keys[alike]?.field === fields[alike]
    )
      alike += 1
    const exact = alike === keys.length && alike === fields.length
    if (alike > (best?.keys ?? 0) || (exact && alike === best?.keys))
      best = { index, keys: alike, descending: first.descending, exact }
  }
  return best
}

/** Read once for each row: a random value differs each time. */
function valueAt(item: Sortable, at: number, key: Key): SqlValue {
  if (at === 0) return item.first
  const { row, frame } = item
  item.others ??= []
  if (item.others.length < at && frame !== undefined) {
    frame.row = row
    item.others.push(key.read(frame, row))
  }
  return item.others[at - 1] ?? null
}

/** Of several joined rows the first in stored order counts. */
function joinedValue(term: Term, frame: Frame): SqlValue {
  for (const index of term.joins) {
    const join = frame.joins[index]
    if (join !== undefined) frame.bound[index] = frame.domain(join)[0] ?? null
  }
  return term.value(frame)
}

function randomNumber(environment: Environment): number {
  return Number.parseInt(environment.random('0123456789abcdef', 12), 16)
}
