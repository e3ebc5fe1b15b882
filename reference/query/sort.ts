import type { Environment, Row, SqlValue, StoredOrder } from '../vocabulary.ts'
import { lengthSteps, type Work } from '../work.ts'
import { type CompileOptions, frameMaker, isReachable, startCompilation } from './compile.ts'
import type { Frame } from './frame.ts'
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
  /** The sort values of a row; undefined if a listRule of a related table hides it. */
  sortable(row: Row, scope: Scope): Sortable | undefined
  /** Rows of equal keys keep insertion order. */
  compare(a: Sortable, b: Sortable): number
  /** Whether a row can be hidden. */
  mayHide: boolean
  /** The store can iterate in this order: nothing needs to be compared. */
  stored?: StoredOrder
}

export interface Sortable {
  row: Row
  /** Values of the first keys. The next one is read if those before it equal another row's. */
  values: SqlValue[]
  /** The frame to read the next value from. A page far back keeps many rows, and none of these for a single key. */
  frame: Frame | undefined
}

type Key = { descending: boolean; read(frame: Frame, row: Row): SqlValue; stored?: StoredOrder }

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
    const read = (frame: Frame) => joinedValue(term, frame)
    return { descending, read, stored: name !== 'id' ? undefined : descending ? '-id' : 'id' }
  })

  const frameOf = frameMaker(compilation.joins)
  const [first] = keys as [Key]
  // No two rows share this key, so later keys decide nothing, except by hiding rows.
  const mayHide = compilation.joins.length > 0
  const stored = mayHide ? undefined : first.stored
  return {
    mayHide,
    stored,
    sortable(row, scope) {
      const frame = frameOf(row, scope)
      if (!isReachable(frame)) return undefined
      return { row, values: [first.read(frame, row)], frame: keys.length > 1 ? frame : undefined }
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

/** Read once for each row: a random value differs each time. */
function valueAt({ row, frame, values }: Sortable, at: number, key: Key): SqlValue {
  if (values.length <= at && frame !== undefined) values.push(key.read(frame, row))
  return values[at] ?? null
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
