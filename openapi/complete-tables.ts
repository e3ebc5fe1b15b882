/**
 * The first step of a description: definitions as a server would complete them, and errors for those it would reject.
 *
 * @module
 */

import { fieldKinds } from '../reference/fields/registry.ts'
import { completeAuthOptions } from '../reference/tables/auth-options.ts'
import { DefinitionError, type Problems } from '../reference/tables/definition-error.ts'
import { inspectTableName } from '../reference/tables/inspect-table-name.ts'
import { bindFields, makeFields } from '../reference/tables/make-fields.ts'
import { makeIndexes } from '../reference/tables/make-indexes.ts'
import { systemTables } from '../reference/tables/system.ts'
import { tableId } from '../reference/tables/table-id.ts'
import { checkTable } from '../spec/check-table.ts'
import { didYouMean, nearest, quoted } from '../spec/nearest.ts'
import type { FieldDefinition, TableDefinition } from '../spec/table-definition.ts'
import type { DescribedTable, ExportedTable, SignInMethod } from './vocabulary.ts'

const types = ['base', 'auth', 'view']
const stamps: readonly string[] = ['created', 'updated']

type Identified = TableDefinition & { id: string; kind: DescribedTable['type'] }

/**
 * Fills in what definitions omit, as a server does: ids, system fields, options. Rules and indexes that cannot be
 * parsed are left to the server: a description does not contain them.
 *
 * @returns sorted by name, so that the order of an export does not matter
 * @throws Error that names the table, the place in it, and the nearest word that would be right
 */
export function completeTables(given: readonly ExportedTable[]): DescribedTable[] {
  for (const [at, table] of given.entries()) expectTable(table, at)
  const tables = given.map(identify)
  const present = new Set(tables.map(({ name }) => name))
  const all = [...tables, ...systemTables.filter(({ name }) => !present.has(name)).map(identify)]
  return tables
    .map((table) => completeTable(table, all))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function expectTable(given: unknown, at: number): void {
  const { name, type } = (given ?? {}) as { name?: unknown; type?: unknown }
  if (typeof name !== 'string') throw new Error(`Table ${at} has no "name". Add one.`)
  if (type !== undefined && !types.includes(type as string)) {
    const word = String(type)
    throw new Error(
      `Table ${quoted(name)} has the unknown type ${quoted(word)}.${didYouMean(word, types)} The types are ${types.join(', ')}.`,
    )
  }
  checkTable(given, at)
}

function identify(given: ExportedTable): Identified {
  const { type: kind, viewQuery: _, fields, ...definition } = withoutNulls(structuredClone(given))
  const id = definition.id || tableId(kind ?? 'base', definition.name)
  return {
    ...(definition as TableDefinition),
    fields: (fields ?? []).map((field) => withoutNulls(field as FieldDefinition)),
    type: kind === 'auth' ? 'auth' : 'base',
    kind: kind ?? 'base',
    id,
  }
}

/** An export may contain `null` for an absent value. For a rule, both mean: superusers only. */
function withoutNulls<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as T
}

function completeTable(table: Identified, all: readonly Identified[]): DescribedTable {
  const others = all.filter((other) => other !== table)
  const fields = table.fields ?? []
  for (const field of fields) {
    const place = `Field ${quoted(String(field.name))} of table ${quoted(table.name)}`
    expectFieldType(place, field.type)
    if (field.type === 'relation') expectTarget(place, field.collectionId, all)
  }
  const problems: Problems = inspectTableName(table, others)
  const made = makeFields(table, new Map(all.map(({ id, name }) => [id, name])), problems)
  if (Object.keys(problems).length > 0) throw new DefinitionError(table, problems)
  const given = new Set(fields.map(({ name }) => name))
  // A view has only the columns of its query: a server adds no system fields to it.
  const shown = made.filter(({ name }) => table.kind !== 'view' || given.has(name) || !stamps.includes(name))
  return {
    id: table.id,
    name: table.name,
    type: table.kind,
    fields: bindFields(shown),
    uniqueIndexes: makeIndexes(table, made, others, {}).unique,
    signIn: signInOf(table),
    twoFactors: table.kind === 'auth' && table.mfa?.enabled === true,
    rule: (name) => table[name] ?? null,
  }
}

function expectFieldType(place: string, type: string): void {
  if (Object.hasOwn(fieldKinds, type)) return
  const known = Object.keys(fieldKinds)
  throw new Error(
    `${place} has the unknown type ${quoted(String(type))}.${didYouMean(String(type), known)} The types are ${known.join(', ')}.`,
  )
}

function expectTarget(place: string, target: string, all: readonly Identified[]): void {
  if (all.some(({ id, name }) => id === target || name === target)) return
  const near = nearest(
    String(target),
    all.flatMap(({ id, name }) => [name, id]),
  )
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  throw new Error(
    `${place} points to the table ${quoted(String(target))}, which is not among the tables.${hint} Add its definition, or export all tables.`,
  )
}

function signInOf({ kind, name, ...options }: Identified): ReadonlySet<SignInMethod> {
  if (kind !== 'auth') return new Set()
  const { passwordAuth, oauth2, otp } = completeAuthOptions({ ...options })
  const methods: SignInMethod[] = []
  if (passwordAuth?.enabled) methods.push('password')
  if (oauth2?.enabled) methods.push('oauth2')
  if (otp?.enabled) methods.push('otp')
  return new Set(methods)
}
