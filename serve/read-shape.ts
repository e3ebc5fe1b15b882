/**
 * Tells apart the forms that a data file may have, and brings them into one:
 *
 * - a list of table definitions, or the living family's export `{ collections: [...] }`;
 * - `{ tables, records, superusers, keys }`, each of which may be left out;
 * - plain rows by table name, `{ posts: [...], authors: [...] }`;
 * - a whole state, `{ version, tables, records, files, memory, chance }`, as `exportState()` of the reference gives it.
 *
 * @module
 */

import type { ApiKeyScope, StateJson } from '../reference/reference.ts'
import { checkShape } from '../reference/tables/check-shape.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import { inferTables } from './infer-tables.ts'
import type { DataRow, ServedData } from './served-data.ts'

const parts = ['tables', 'collections', 'records', 'superusers', 'keys'] as const
type Whole = Partial<Record<(typeof parts)[number], unknown>>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Error that names the key and what was found there */
export function readShape(given: unknown): ServedData {
  if (Array.isArray(given)) return assemble({ tables: given })
  const content = isObject(given) ? withoutBlanks(given) : given
  if (!isObject(content)) throw new Error(`it must contain an array or an object, not ${kindOf(content)}`)
  if (isState(content)) return { ...assemble({}), state: content as unknown as StateJson }
  if (isWhole(content)) return assemble(content)
  if (isPlain(content)) return assemble({ records: content })
  throw new Error(whyNeither(content))
}

/** A part that is left blank, as `records:` in YAML, is left out. */
function withoutBlanks(content: Record<string, unknown>): Record<string, unknown> {
  const known: readonly string[] = parts
  return Object.fromEntries(
    Object.entries(content).filter(([key, value]) => value !== null || !known.includes(key)),
  )
}

/** Whether it is one that can be read is for the reference to say. */
function isState(content: Record<string, unknown>): boolean {
  return typeof content.version === 'number' && Array.isArray(content.tables)
}

function isWhole(content: Record<string, unknown>): content is Whole {
  const known: readonly string[] = parts
  if (!Object.keys(content).every((key) => known.includes(key))) return false
  // A table of somebody's own may well be called "records" or "keys": then every value is a list of plain rows.
  const definitions = content.tables ?? content.collections
  return definitions !== undefined ? Array.isArray(definitions) : isObject(content.records ?? {})
}

function isPlain(content: Record<string, unknown>): content is Record<string, DataRow[]> {
  return Object.values(content).every((rows) => Array.isArray(rows) && rows.every(isObject))
}

function whyNeither(content: Record<string, unknown>): string {
  const known: readonly string[] = parts
  const unknown = Object.keys(content).find((key) => !known.includes(key))
  const whole = Object.keys(content).some((key) => known.includes(key) && !Array.isArray(content[key]))
  if (unknown !== undefined && (whole || content.tables !== undefined))
    return `it has the unknown key "${unknown}".${didYouMean(unknown, parts)} The keys are ${parts.join(', ')}`
  const [name, value] = Object.entries(content).find(([, rows]) => !isPlain({ rows })) ?? ['', undefined]
  return `"${name}" must be an array of rows, not ${kindOf(value)}`
}

function assemble({ tables, collections, records = {}, superusers = [], keys = [] }: Whole): ServedData {
  if (tables !== undefined && collections !== undefined)
    throw new Error(
      'it has both "tables" and "collections", which mean the same: move all definitions to one of them',
    )
  if (!isObject(records))
    throw new Error(`"records" must be an object with the rows of each table, not ${kindOf(records)}`)
  const definitions = (tables ?? collections ?? []) as unknown[]
  const given = definitions.map(definitionOf)
  const rows = Object.fromEntries(Object.entries(records).map(([name, list]) => [name, rowsOf(name, list)]))
  const names = new Set(
    given.flatMap(({ id, name }) => [name.toLowerCase(), ...(id ? [id.toLowerCase()] : [])]),
  )
  const undefinedRows = Object.fromEntries(
    Object.entries(rows).filter(([name]) => !names.has(name.toLowerCase()) && !name.startsWith('_')),
  )
  const inferred = inferTables(undefinedRows, given)
  return {
    tables: [...given, ...inferred.tables],
    records: { ...rows, ...inferred.records },
    superusers: list(superusers, 'superusers').map(superuserOf),
    keys: list(keys, 'keys').map(keyOf),
    inferred: inferred.tables.map(({ name }) => name),
  }
}

function definitionOf(entry: unknown, at: number): TableDefinition {
  if (!isObject(entry)) throw new Error(`table ${at} must be a definition, not ${kindOf(entry)}`)
  // The form of spec/tables.yaml: the definition stands beside the role that it plays.
  const definition = isObject(entry.definition) ? entry.definition : entry
  if (typeof definition.name !== 'string') throw new Error(`table ${at} has no "name"`)
  checkShape(definition)
  return definition as unknown as TableDefinition
}

function rowsOf(name: string, rows: unknown): DataRow[] {
  return list(rows, `records.${name}`).map((row, at) => {
    if (isObject(row)) return row
    throw new Error(`records.${name}[${at}] must be a record, not ${kindOf(row)}`)
  })
}

function superuserOf(entry: unknown, at: number): { email: string; password: string } {
  if (isObject(entry) && typeof entry.email === 'string' && typeof entry.password === 'string')
    return { email: entry.email, password: entry.password }
  throw new Error(`superusers[${at}] needs an "email" and a "password"`)
}

function keyOf(entry: unknown, at: number): ApiKeyScope {
  if (isObject(entry) && isTexts(entry.tables) && isTexts(entry.actions))
    return {
      name: String(entry.name ?? ''),
      tables: entry.tables,
      actions: entry.actions as ApiKeyScope['actions'],
    }
  throw new Error(`keys[${at}] needs "tables" and "actions", both arrays of strings`)
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function list(value: unknown, place: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new Error(`"${place}" must be an array, not ${kindOf(value)}`)
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
