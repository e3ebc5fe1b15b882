/**
 * Infers table definitions from plain rows, for data without definitions. Inferred tables are open to everyone: to set
 * rules, write definitions.
 *
 * @module
 */

import type { Pieces } from '../reference/limits/in-turns.ts'
import { tableId } from '../reference/tables/table-id.ts'
import type { FieldDefinition, TableDefinition } from '../spec/table-definition.ts'
import { danglingNotice, inferField, type KnownTables } from './infer-field.ts'
import type { DataRow } from './served-data.ts'

export interface InferredTables {
  tables: TableDefinition[]
  /** The rows in the form of the tables: ids and relations as strings, stamps in the document's form. */
  records: Record<string, DataRow[]>
  /** About values that almost make a relation. */
  notices: string[]
}

/** The rows of one table, without keys that are not fields. */
interface GivenRows {
  name: string
  type: 'auth' | 'base'
  id: string
  rows: DataRow[]
}

/** Keys that a server adds to records. Rows that were saved from responses contain them. */
const notFields = new Set(['collectionId', 'collectionName', 'expand'])
/** Fields that every auth table has anyway. */
const accountFields = new Set([
  'email',
  'emailVisibility',
  'verified',
  'password',
  'passwordConfirm',
  'tokenKey',
])
const stamps = new Set(['created', 'updated'])
const usualId = /^[a-z0-9]{15}$/
const possibleId = /^[A-Za-z0-9_-]{1,100}$/

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }

/**
 * @param given existing definitions: rows may also refer to their tables
 * @throws Error that names a row whose id or stamp is invalid
 */
export function* inferTables(
  rowsByTable: Readonly<Record<string, readonly DataRow[]>>,
  given: readonly TableDefinition[] = [],
): Pieces<InferredTables> {
  const isAuth = (rows: readonly DataRow[]) =>
    rows.length > 0 &&
    rows.every(({ email }) => isText(email)) &&
    rows.some(({ password }) => isText(password))
  const all: GivenRows[] = []
  for (const [name, untidy] of Object.entries(rowsByTable)) {
    const type = isAuth(untidy) ? 'auth' : 'base'
    const rows: DataRow[] = []
    for (const [at, row] of untidy.entries()) {
      rows.push(tidy(row, `${name}[${at}]`))
      yield
    }
    all.push({ name, type, id: tableId(type, name), rows })
  }
  const known: KnownTables[] = [
    ...all.map(({ name, id, rows }) => ({ name, id, ids: new Set(rows.map((row) => String(row.id ?? ''))) })),
    ...given.map(({ name, id, type = 'base' }) => ({
      name,
      id: id ?? tableId(type, name),
      ids: new Set<string>(),
    })),
  ]
  const tables: TableDefinition[] = []
  const notices: string[] = []
  const records: Record<string, DataRow[]> = {}
  for (const { name, type, id, rows } of all) {
    const names = [...keysOf(rows)].filter(
      (key) => key !== 'id' && !stamps.has(key) && !(type === 'auth' && accountFields.has(key)),
    )
    const fields: FieldDefinition[] = []
    for (const field of names) {
      const values = rows.map((row) => row[field])
      const inferred = inferField(field, values, known)
      fields.push(inferred)
      const notice = inferred.type === 'relation' ? undefined : danglingNotice(name, field, values, known)
      if (notice !== undefined) notices.push(notice)
      yield
    }
    tables.push({
      id,
      name,
      type,
      ...open,
      fields: [...idField(rows), ...(type === 'auth' ? passwordField(rows) : []), ...fields],
      ...(type === 'auth' && usernames(name, rows)),
    })
    const relations = new Set(fields.flatMap((field) => (field.type === 'relation' ? [field.name] : [])))
    const written: DataRow[] = []
    for (const row of rows) {
      written.push(withStrings(row, relations))
      yield
    }
    records[name] = written
  }
  return { tables, records, notices }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function tidy(row: DataRow, place: string): DataRow {
  const entries = Object.entries(row).filter(([key, value]) => !notFields.has(key) && value !== undefined)
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'id') return [key, idText(value, place)]
      return [key, stamps.has(key) ? stampText(value, `${place}.${key}`) : value]
    }),
  )
}

function idText(value: unknown, place: string): string {
  const text = String(value)
  if ((typeof value === 'string' || typeof value === 'number') && possibleId.test(text)) return text
  throw new Error(`the id of ${place} is ${JSON.stringify(value)}: use only letters, digits, "-" and "_"`)
}

function stampText(value: unknown, place: string): string {
  const time = new Date(value as string)
  if (Number.isNaN(time.getTime())) throw new Error(`${place} must be a date, not ${JSON.stringify(value)}`)
  return time.toISOString().replace('T', ' ')
}

function keysOf(rows: readonly DataRow[]): Set<string> {
  const keys = new Set<string>()
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key)
  return keys
}

function idField(rows: readonly DataRow[]): FieldDefinition[] {
  if (rows.every(({ id }) => id === undefined || usualId.test(String(id)))) return []
  const form = { min: 1, max: 100, pattern: '^[A-Za-z0-9_-]+$', autogeneratePattern: '[a-z0-9]{15}' }
  return [{ name: 'id', type: 'text', primaryKey: true, system: true, required: true, ...form }]
}

/** Passwords of test data are sometimes short. */
function passwordField(rows: readonly DataRow[]): FieldDefinition[] {
  const shortest = rows.reduce(
    (least, { password }) => Math.min(least, isText(password) ? [...password].length : 8),
    8,
  )
  return shortest < 8
    ? [{ name: 'password', type: 'password', system: true, hidden: true, required: true, min: shortest }]
    : []
}

/** Accounts with a username may sign in with it. */
function usernames(table: string, rows: readonly DataRow[]): Partial<TableDefinition> {
  const names = rows.map(({ username }) => (isText(username) ? username.toLowerCase() : undefined))
  if (names.includes(undefined) || new Set(names).size < names.length) return {}
  return {
    passwordAuth: { enabled: true, identityFields: ['email', 'username'] },
    indexes: [`CREATE UNIQUE INDEX idx_${table}_username ON ${table} (username COLLATE NOCASE)`],
  }
}

function withStrings(row: DataRow, relations: ReadonlySet<string>): DataRow {
  const text = (value: unknown) => (typeof value === 'number' ? String(value) : value)
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      relations.has(key) ? (Array.isArray(value) ? value.map(text) : text(value)) : value,
    ]),
  )
}
