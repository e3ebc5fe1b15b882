/**
 * Adds to the data of a running server, and replaces all of it, for tests.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import type { LoadedData } from '../exchange/loaded-data.ts'
import { storedSecrets } from '../exchange/secrets/secret-key.ts'
import { withSecrets } from '../reference/auth/secrets.ts'
import { inTurns } from '../reference/limits/in-turns.ts'
import { compileRule } from '../reference/query/rule.ts'
import type { StateJson } from '../reference/reference.ts'
import { servicesOf } from '../reference/services-of.ts'
import { seed, seedNotices } from '../reference/state/seed.ts'
import { addTables } from '../reference/tables/add-tables.ts'
import { readDefinitions, withoutViews } from '../reference/tables/read-definitions.ts'
import { ruleNotices } from '../reference/tables/rule-notices.ts'
import { unusedOptions } from '../reference/tables/unused-options.ts'
import { withPretended } from '../reference/testing/pretend-provider.ts'
import type { Row, Table } from '../reference/vocabulary.ts'
import { didYouMean, quoted } from '../spec/nearest.ts'
import type { ServedSettings } from './read-settings.ts'
import { readShapeInTurns } from './read-shape.ts'
import { InvalidControlRequest } from './respond.ts'
import type { DataRow } from './served-data.ts'
import type { Serving } from './serving.ts'

/** A record as the control endpoints show it. */
type ShownRecord = Record<string, unknown>

/** All served data, in the form that `--data` reads. */
export interface ServedState extends StateJson {
  settings?: ServedSettings
}

export async function currentState({ reference, data: { settings } }: Serving): Promise<ServedState> {
  const state = await reference.exportState()
  return settings === undefined ? state : { ...state, settings }
}

/** Leaves out the tables that every server has. */
function loadedData({ reference, notices }: Serving): LoadedData {
  const reader = servicesOf(reference).store.current
  const tables = [...reader.tables()].filter(({ name }) => !name.startsWith('_'))
  const empty = 'The data has no tables: this server now has only its system tables.'
  return {
    tables: tables.map(({ name }) => name),
    records: Object.fromEntries(tables.map((table) => [table.name, reader.count(table)])),
    notices: tables.length === 0 ? [...notices, empty] : [...notices],
  }
}

/**
 * Replaces all data. A reset then returns to the new data.
 *
 * @param content in any form of a data file
 * @throws Error that names the place; then the current data is kept
 */
export async function replaceData(serving: Serving, content: unknown): Promise<LoadedData> {
  return afterLoading(serving, () => serving.reload(readShapeInTurns(content)))
}

/** Replaces all data with the current content of the data file. */
export async function rereadFile(serving: Serving): Promise<LoadedData> {
  return afterLoading(serving, () => serving.reread())
}

async function afterLoading(serving: Serving, load: () => Promise<void>): Promise<LoadedData> {
  await serving.settled()
  await load()
  serving.exchanges.mark()
  return loadedData(serving)
}

/** What was added. */
interface AddedRecords {
  /** By table name, as it was given. */
  records: Record<string, ShownRecord[]>
  notices: readonly string[]
}

/**
 * Adds records like those of a data file: all or none, without rules, in any order of relations.
 *
 * @param given records by table name
 * @returns the records as they are stored, without secrets, and what to know about them
 * @throws Error that names the record and the field
 */
export async function addRecords(
  { reference }: Serving,
  given: Readonly<Record<string, readonly DataRow[]>>,
): Promise<AddedRecords> {
  const { store, environment } = servicesOf(reference)
  const added = await store.transaction((writer) => {
    for (const name of Object.keys(given)) tableNamed(writer.table(name), name, writer.tables())
    // After a reset, the ids that it would draw belong to other records.
    return inTurns(seed(writer, { records: given, superusers: [] }, environment), store.untilRestored())
  })
  const records: Record<string, ShownRecord[]> = Object.fromEntries(
    Object.keys(given).map((name) => [name, []]),
  )
  for (const { name, table, row } of added) records[name]?.push(shownRecord(table, row))
  return { records, notices: seedNotices(store.current, given) }
}

/** Records by table. @throws InvalidControlRequest for anything else */
export function recordsIn(content: unknown): Record<string, DataRow[]> {
  const entries = isObject(content) ? Object.entries(content) : undefined
  const wrong = entries?.find(([, rows]) => !Array.isArray(rows) || !rows.every(isObject))
  if (entries === undefined || wrong !== undefined)
    throw new InvalidControlRequest(
      `${wrong === undefined ? 'The body' : quoted(wrong[0])} must hold records as objects, in an array for each table.`,
    )
  return content as Record<string, DataRow[]>
}

/** Records of one request: they are made in one transaction, for which all other requests wait. */
export const mostMade = 1_000

/**
 * Creates records with invented values, and with the given ones.
 *
 * @throws Error that names what cannot be made
 */
export async function inventRecords(
  { reference }: Serving,
  name: string,
  count: number,
  values: DataRow,
): Promise<ShownRecord[]> {
  const { store } = servicesOf(reference)
  const table = tableNamed(store.current.table(name), name, store.current.tables())
  const made: readonly { id: string }[] = await reference.make(table.name, count, values)
  return made.flatMap(({ id }) => {
    const row = store.current.get(table, id)
    return row === undefined ? [] : [shownRecord(table, row)]
  })
}

/** The records of a table in the order in which they were added, without secrets. @throws InvalidControlRequest 404 */
export function storedRecords({ reference }: Serving, name: string): ShownRecord[] {
  const reader = servicesOf(reference).store.current
  const table = tableNamed(reader.table(name), name, reader.tables())
  return [...reader.scan(table)].map((row) => shownRecord(table, row))
}

function tableNamed(table: Table | undefined, name: string, all: Iterable<Table>): Table {
  if (table !== undefined) return table
  const names = [...all].filter(({ system }) => !system).map((one) => one.name)
  throw new InvalidControlRequest(
    `There is no table ${quoted(name)}.${didYouMean(name, names)} Available: ${names.join(', ')}.`,
    404,
  )
}

/** What was added. */
interface AddedTables {
  tables: string[]
  notices: readonly string[]
}

/**
 * Adds tables: all of them, or none. A reset removes them.
 *
 * @param given a list of definitions, or an export of the family
 * @returns the names of the added tables, and what was left out
 * @throws InvalidControlRequest for views alone; Error that names the table and the place in its definition
 */
export async function addServedTables(serving: Serving, given: unknown): Promise<AddedTables> {
  const { store, environment } = servicesOf(serving.reference)
  const { tables, notices } = withoutViews(readDefinitions(given))
  if (tables.length === 0 && notices.length > 0) throw new InvalidControlRequest(notices.join(' '))
  const unused = tables.map(unusedOptions).flatMap(({ misplaced, foreign }) => [...misplaced, ...foreign])
  const definitions = tables.map((one) => withSecrets(withPretended(serving.oauth2, one), environment))
  const added = await store.whenIdle(() => addTables(store, definitions, compileRule))
  serving.tablesChanged()
  return {
    tables: added.map(({ name }) => name),
    notices: [...notices, ...unused, ...ruleNotices(added, store.current)],
  }
}

/** A record with its hidden fields, but without password, hash or token key. */
function shownRecord(table: Table, row: Row): ShownRecord {
  const shown = table.fields.filter(({ name, type }) => type !== 'password' && !storedSecrets.has(name))
  return Object.fromEntries(
    shown.map((field) => [field.name, field.render(row.values[field.name] ?? field.zero)]),
  )
}
