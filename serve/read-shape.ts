/**
 * Tells apart the forms that a data file may have, and brings them into one:
 *
 * - a list of table definitions, or the living family's export `{ collections: [...] }`;
 * - `{ tables, records, superusers, keys, settings }`, each part optional;
 * - plain rows by table name, `{ posts: [...], authors: [...] }`;
 * - a whole state, `{ version, tables, records, files, memory, random }`, as `exportState()` of the reference gives it,
 *   with or without `settings`.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { atOnce, inTurns, type Pieces } from '../reference/limits/in-turns.ts'
import type { ApiKeyScope, StateJson } from '../reference/reference.ts'
import { checkData } from '../spec/check-table.ts'
import { kindName } from '../spec/kind-name.ts'
import { didYouMean, nearest } from '../spec/nearest.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import { inferTables } from './infer-tables.ts'
import { type CheckedSettings, readSettings } from './read-settings.ts'
import type { DataRow, ServedData } from './served-data.ts'

const parts = ['tables', 'collections', 'records', 'superusers', 'keys', 'settings'] as const
const stateParts = ['version', 'tables', 'records', 'files', 'memory', 'random', 'settings']
type Whole = Partial<Record<(typeof parts)[number], unknown>>

/** A definition, or an entry of spec/tables.yaml: a definition with the role of its table. */
type Entry = TableDefinition | { definition: TableDefinition }

/** The keys that `spec/data.schema.json` allows. */
interface CheckedData {
  tables?: Entry[]
  collections?: Entry[]
  records?: Record<string, DataRow[]>
  superusers?: { email: string; password: string }[]
  keys?: (Omit<ApiKeyScope, 'name'> & { name?: unknown })[]
  settings?: CheckedSettings
}

/** @throws Error that names the key and what was found there */
export function readShape(given: unknown): ServedData {
  return atOnce(shapeOf(given))
}

/** The same, with other requests in between. */
export function readShapeInTurns(given: unknown): Promise<ServedData> {
  return inTurns(shapeOf(given))
}

function* shapeOf(given: unknown): Pieces<ServedData> {
  if (Array.isArray(given)) return yield* assemble({ tables: given })
  const content = isObject(given) ? withNumbers(withoutBlanks(given)) : given
  if (!isObject(content)) throw new Error(`the data must be an array or an object, not ${kindName(content)}`)
  if (isState(content)) {
    rejectUnknownPart(content, stateParts)
    const { settings, ...state } = content
    return { ...(yield* assemble({ settings })), state: state as unknown as StateJson }
  }
  if (isWhole(content)) return yield* assemble(content)
  if (isPlain(content)) {
    rejectDefinitions(content)
    return yield* assemble({ records: content })
  }
  throw new Error(whyNeither(content))
}

/** A blank part, as `records:` in YAML, counts as left out. */
function withoutBlanks(content: Record<string, unknown>): Record<string, unknown> {
  const known: readonly string[] = parts
  return Object.fromEntries(
    Object.entries(content).filter(([key, value]) => value !== null || !known.includes(key)),
  )
}

/** YAML has numbers that JSON has no form for, and the schemas are for JSON. */
function withNumbers(content: Record<string, unknown>): Record<string, unknown> {
  const { settings } = content
  if (!isObject(settings) || !isObject(settings.limits)) return content
  const limits = Object.entries(settings.limits).map(([name, value]) => [
    name,
    value === Number.POSITIVE_INFINITY ? 'Infinity' : value,
  ])
  return { ...content, settings: { ...settings, limits: Object.fromEntries(limits) } }
}

function rejectUnknownPart(content: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(content).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new Error(
      `the data has the unknown key "${unknown}".${didYouMean(unknown, known)} The keys are ${known.join(', ')}`,
    )
}

/** The reference decides whether the state can be read. */
function isState(content: Record<string, unknown>): boolean {
  return typeof content.version === 'number' && Array.isArray(content.tables)
}

function isWhole(content: Record<string, unknown>): content is Whole {
  const known: readonly string[] = parts
  if (!Object.keys(content).every((key) => known.includes(key))) return false
  if (Array.isArray(content.settings)) return false
  // A table may be named "records" or "keys": then every value is a list of plain rows.
  const definitions = content.tables ?? content.collections
  return definitions !== undefined ? Array.isArray(definitions) : isObject(content.records ?? {})
}

function isPlain(content: Record<string, unknown>): content is Record<string, DataRow[]> {
  return Object.values(content).every((rows) => Array.isArray(rows) && rows.every(isObject))
}

/** Table definitions below a key that is almost "tables" are not records of a table of that name. */
function rejectDefinitions(content: Record<string, DataRow[]>): void {
  for (const [key, rows] of Object.entries(content)) {
    const meant = nearest(key, ['tables', 'collections'], 3)
    if (meant === undefined) continue
    if (rows.some(({ name, fields }) => typeof name === 'string' && Array.isArray(fields)))
      throw new Error(
        key === meant ? whyNeither(content) : `"${key}" has table definitions. Did you mean "${meant}"?`,
      )
  }
}

function whyNeither(content: Record<string, unknown>): string {
  const known: readonly string[] = parts
  const entries = Object.entries(content)
  const unknown = entries.find(([key]) => !known.includes(key))?.[0]
  if (content.settings !== undefined && !isObject(content.settings))
    return `"settings" must be an object, not ${kindName(content.settings)}`
  const whole = entries.some(
    ([key, value]) => known.includes(key) && (isDefinitions(key) || !Array.isArray(value)),
  )
  if (unknown !== undefined && whole)
    return `the data has the unknown key "${unknown}".${didYouMean(unknown, parts)} The keys are ${parts.join(', ')}`
  const [name, value] = entries.find(([, rows]) => !isPlain({ rows })) ?? ['', undefined]
  const at = Array.isArray(value) ? value.findIndex((row) => !isObject(row)) : -1
  return at < 0
    ? `"${name}" must be an array of rows, not ${kindName(value)}`
    : `"${name}[${at}]" must be a row with values by field name, not ${kindName((value as unknown[])[at])}`
}

function isDefinitions(key: string): boolean {
  return key === 'tables' || key === 'collections'
}

function* assemble(whole: Whole): Pieces<ServedData> {
  checkData(whole)
  const { tables, collections, records = {}, superusers = [], keys = [], settings } = whole as CheckedData
  if (tables !== undefined && collections !== undefined)
    throw new Error(
      'the data has both "tables" and "collections", which mean the same: move all definitions to one of them',
    )
  const given = (tables ?? collections ?? []).map(definitionIn)
  const names = new Set(
    given.flatMap(({ id, name }) => [name.toLowerCase(), ...(id ? [id.toLowerCase()] : [])]),
  )
  const undefinedRows = Object.fromEntries(
    Object.entries(records).filter(([name]) => !names.has(name.toLowerCase()) && !name.startsWith('_')),
  )
  for (const name of Object.keys(undefinedRows)) rejectMisspelled(name, given)
  const inferred = yield* inferTables(undefinedRows, given)
  const read = settings === undefined ? undefined : readSettings(settings)
  return {
    tables: [...given, ...inferred.tables],
    records: { ...records, ...inferred.records },
    superusers: superusers.map(({ email, password }) => ({ email, password })),
    keys: keys.map(({ name, tables, actions }) => ({ name: String(name ?? ''), tables, actions })),
    inferred: inferred.tables.map(({ name }) => name),
    ...read,
    notices: [...inferred.notices, ...(read?.notices ?? [])],
  }
}

/** Records of a table that is not defined make one that is open to everyone: not for a misspelled name. */
function rejectMisspelled(name: string, given: readonly TableDefinition[]): void {
  const names = given.map((table) => table.name)
  const meant = nearest(name, names, name.length < 5 ? 2 : 3)
  if (meant === undefined) return
  throw new Error(
    `the data has records of a table "${name}", which it does not define. Did you mean "${meant}"? To have both tables, define both`,
  )
}

function definitionIn(entry: Entry): TableDefinition {
  return 'definition' in entry && isObject(entry.definition) ? entry.definition : (entry as TableDefinition)
}
