/**
 * The whole state as JSON, and back: tables, records with their hashes, files, keys, short-lived entries, and the
 * position of the random source. It contains secrets: use it for test fixtures, do not publish it.
 *
 * @module
 */

import { hashForm } from '../../exchange/secrets/secret-key.ts'
import { checkState } from '../../spec/check-table.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { withHashedPasswords } from '../auth/passwords.ts'
import type { RandomState } from '../environment/environment.ts'
import { dateText } from '../fields/read-date.ts'
import type { Pieces } from '../limits/in-turns.ts'
import { emptyMemory, type MemoryState } from '../limits/memory.ts'
import type { Snapshot } from '../store/store.ts'
import { Store } from '../store/store.ts'
import { UniqueViolation } from '../store/unique-violation.ts'
import { TransactionWriter } from '../store/writer.ts'
import { addTables } from '../tables/add-tables.ts'
import { noField } from '../tables/no-field.ts'
import type { Environment, Json, Table, Value } from '../vocabulary.ts'
import { rejectLostValue } from './lost-value.ts'

/** The whole state of a reference as JSON, hashes and secrets included. */
export interface StateJson {
  /** Incremented when the format changes in a way that older readers cannot read. */
  version: 1
  /** System tables included. */
  tables: TableDefinition[]
  /** Stored values by table id, in insertion order. */
  records: Record<string, Record<string, Json>[]>
  /** Contents by table id and `record/name`. */
  files: Record<
    string,
    Record<
      string,
      {
        /** Media type. */
        type: string
        /** Content. */
        base64: string
        /** Milliseconds since the epoch. */
        modified?: number
      }
    >
  >
  /** `[key, since, until, count]`, and the text that belongs to it; `until` is null for an entry that never expires. */
  memory: [string, number, number | null, number, string?][]
  /** Positions in the sequences of random values and of counted ids. */
  random: {
    /** Position in the sequence of random values. Absent without a seed. */
    position?: number
    /** Number of created ids. */
    ids: number
  }
}

/** The parts of a state. */
export interface WholeState {
  store: Snapshot
  memory: MemoryState
  random: RandomState
}

/** The result shares nothing with the store. */
export function* exportState({ store, memory, random }: WholeState): Pieces<StateJson> {
  const state: StateJson = {
    version: 1,
    tables: [],
    records: {},
    files: {},
    memory: [...memory.entries.entries()].map(([key, { since, until, count, about }]) => {
      const end = Number.isFinite(until) ? until : null
      return about === undefined ? [key, since, end, count] : [key, since, end, count, about]
    }),
    random: { ...(random.source !== undefined && { position: random.source }), ids: random.ids },
  }
  for (const table of store.root.tables.values()) {
    const data = store.root.data.get(table.id)
    state.tables.push(structuredClone(table.definition))
    if (data === undefined) continue
    const rows: Record<string, Json>[] = []
    for (const { values } of data.rows.values()) {
      rows.push(structuredClone(values) as Record<string, Json>)
      yield
    }
    if (rows.length > 0) state.records[table.id] = rows
    for (const [key, { bytes, type, modified }] of data.files.entries()) {
      const files = state.files[table.id] ?? {}
      state.files[table.id] = files
      const base64 = Buffer.from(bytes).toString('base64')
      files[key.replace('\0', '/')] = { type, base64, ...(modified !== undefined && { modified }) }
      yield
    }
  }
  return state
}

/** A hash of this server, or of another server: with the latter no one can sign in here. */
function isHash(text: string): boolean {
  return hashForm.test(text) || /^scrypt\$\d+\$/.test(text)
}

/** @throws Error for a field that the table does not have, and for a value that is not one of its field */
function expectFields(table: Table, row: Readonly<Record<string, unknown>>, place: string): void {
  for (const [name, value] of Object.entries(row)) {
    if (table.field(name) === undefined)
      throw new Error(`Record ${place} of the state cannot be kept: ${noField(table, name)}`)
    rejectLostValue(table, name, value)
  }
}

/** Adds what a record that was written by hand lacks: token key and times. */
function completed(table: Table, values: Record<string, Value>, environment: Environment) {
  const generated = { ...values }
  for (const { name, type, zero, generate } of table.fields) {
    if (values[name] !== undefined) continue
    if (type === 'autodate') generated[name] = dateText(environment.now())
    else generated[name] = name !== 'id' && generate ? generate(environment) : zero
  }
  return generated
}

/** @throws Error that names the record, for one that the table already holds */
function insertAt(
  writer: TransactionWriter,
  table: Table,
  values: Record<string, Value>,
  position: number,
): void {
  try {
    writer.insert(table, values)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const record = `Record ${table.name}[${position}] of the state, with id "${String(values.id)}",`
    throw new Error(`${record} cannot be kept: ${error.message}`, { cause: error })
  }
}

/**
 * Reads a state from a JSON value. Values were validated when they were first written; what was edited into it is checked
 * for its type. Plain passwords are hashed, and a record that was added by hand gets its token key and times.
 *
 * @throws Error for another version, and for a record whose id or unique value another has; DefinitionError for an invalid
 *   table
 */
export function* importState(state: StateJson, environment: Environment): Pieces<WholeState> {
  checkState(state)
  const store = new Store()
  addTables(
    store,
    state.tables.filter(({ system }) => system),
  )
  addTables(
    store,
    state.tables.filter(({ system }) => !system),
  )
  const writer = new TransactionWriter(store.snapshot().root)
  for (const [tableId, rows] of Object.entries(state.records)) {
    const table = writer.table(tableId)
    if (table === undefined)
      throw new Error(`The state holds records of a table "${tableId}" that it does not have.`)
    for (const [position, row] of rows.entries()) {
      expectFields(table, row, `${table.name}[${position}]`)
      const values = structuredClone(row) as Record<string, Value>
      const hashed = withHashedPasswords(table, values, environment, (text) => !isHash(text))
      const whole = completed(table, hashed, environment)
      insertAt(writer, table, whole, position)
      yield
    }
  }
  for (const [tableId, files] of Object.entries(state.files)) {
    const table = writer.table(tableId)
    if (table === undefined)
      throw new Error(`The state holds files of a table "${tableId}" that it does not have.`)
    for (const [key, { type, base64, modified }] of Object.entries(files)) {
      const [record = '', name = ''] = key.split('/')
      const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
      writer.putFile(table, record, name, { type, bytes, modified })
      yield
    }
  }
  const root = writer.root()
  writer.close()
  const memory = emptyMemory()
  for (const [key, since, until, count, about] of state.memory) {
    const entry = { since, until: until ?? Number.POSITIVE_INFINITY, count }
    memory.entries.set(key, { ...entry, about })
  }
  return { store: { root }, memory, random: { source: state.random.position, ids: state.random.ids } }
}
