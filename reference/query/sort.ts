import type { Environment, Row, StoredOrder } from '../vocabulary.ts'
import { type CompileOptions, frameMaker, isReachable, startCompilation } from './compile.ts'
import type { Frame } from './frame.ts'
import { macros } from './macros.ts'
import { QueryError } from './query-error.ts'
import { resolveName } from './resolve.ts'
import type { Scope } from './scope.ts'
import { compareValues, type SqlValue } from './sql-value.ts'
import type { Term } from './term.ts'

const MAX_KEYS = 8
const MAX_KEY_BYTES = 255

/** A sort text made ready: what to compare of a row, and how. */
export interface Sort {
  /** Values to compare, in order of the keys; undefined when a listRule of a related table hides the row. */
  keysOf(row: Row, scope: Scope): SqlValue[] | undefined
  /** Rows of equal keys keep insertion order. */
  compare(a: Sorted, b: Sorted): number
  /** The store can be walked in this order: nothing needs to be compared. */
  stored?: StoredOrder
}

export interface Sorted {
  row: Row
  keys: SqlValue[]
}

type Key = { descending: boolean; read(frame: Frame, row: Row): SqlValue; stored?: StoredOrder }

/**
 * Compiles a sort text (contract-records 1.5): names with an optional sign, `@random`, `@rowid`. Without keys it
 * is undefined: rows come in insertion order.
 *
 * @throws QueryError for a name that the caller cannot see, an invisible e-mail included, and for too many keys.
 */
export function compileSort(
  text: string,
  options: CompileOptions,
  environment: Environment,
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
    if (!/^[\w@]/.test(name) || macros.has(name)) throw new QueryError(`Sort: "${name}" is no field.`)
    const term = resolveName(compilation, name)
    if (term.constant || term.guard !== undefined)
      throw new QueryError(`Sort: "${name}" cannot be sorted by.`)
    const read = (frame: Frame) => joinedValue(term, frame)
    return { descending, read, ...(name === 'id' && { stored: descending ? '-id' : 'id' }) }
  })

  const frameOf = frameMaker(compilation.joins)
  const [first] = keys
  // No two rows share the key, so what follows decides nothing, except by hiding rows.
  const stored = compilation.joins.length === 0 ? first?.stored : undefined
  return {
    ...(stored && { stored }),
    keysOf(row, scope) {
      const frame = frameOf(row, scope)
      if (!isReachable(frame)) return undefined
      return keys.map((key) => key.read(frame, row))
    },
    compare(a, b) {
      for (const [at, key] of keys.entries()) {
        const order = compareValues(a.keys[at] ?? null, b.keys[at] ?? null)
        if (order !== 0) return key.descending ? -order : order
      }
      return a.row.rowid - b.row.rowid
    },
  }
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
