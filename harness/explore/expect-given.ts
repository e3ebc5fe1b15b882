/**
 * Whether the tables and fields that a target file names exist. A wrong name would otherwise look like a server that
 * fails every check of the table.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { nearest } from '../../spec/nearest.ts'
import { loadRoles } from '../../spec/tables.ts'
import { ConfigurationError } from '../errors.ts'
import { isRejected } from '../judging/expect.ts'
import { superuserPlaces } from '../session/actors.ts'
import type { CleanUp, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { type Discovery, discover } from './discover.ts'
import { isNowhere } from './is-nowhere.ts'
import type { TrySend } from './usable-response.ts'
import { wrongPrefixError } from './wrong-prefix-error.ts'

/**
 * @param isConfirmed whether a response has shown that the superuser, if one is known, sees more than a guest
 * @returns notes on fields that no record shows
 * @throws ConfigurationError with the nearest name, or with the prefix under which the tables are
 */
export async function expectGivenTables(
  session: Wire & CleanUp & RunSettings & TargetFacts,
  trySend: TrySend,
  isConfirmed: () => Promise<boolean>,
): Promise<string[]> {
  const { target } = session
  const roles = new Map(loadRoles().map(({ role, definition }) => [role, definition]))
  const given = Object.values(target.tables).filter(({ role, name }) => {
    const ours = roles.get(role)
    return ours !== undefined && ours.name !== name
  })
  if (target.explored !== undefined || given.length === 0) return []
  const looks = await Promise.all(
    given.map(async (table) => ({
      table,
      rows: await rowsOf(session, trySend, table, roles.get(table.role)?.type),
    })),
  )
  for (const { table, rows } of looks)
    if (rows !== undefined && roles.get(table.role)?.type === 'auth')
      await expectAccounts(session, trySend, table, rows)
  const notes = looks.flatMap(({ table, rows = [] }) => expectMapped(target.baseUrl, table, rows))
  const missing = looks.filter(({ rows }) => rows === undefined).map(({ table }) => table)
  // A server may hide from guests that a table exists: only a superuser, or a table with a similar name, shows the mistake.
  const isOpen = ({ role, as: actor }: TableRef) =>
    (roles.get(role)?.listRule === '' && actor === undefined) || session.actors.knows('superuser')
  const [first] = [...missing.filter(isOpen), ...missing]
  if (first !== undefined) await explain(session, first, isOpen(first), isConfirmed)
  return notes
}

/**
 * Whether a table for accounts can be one. Where it has no records, only another table that has sign-in methods shows that
 * it is not: a server that is not complete may have them nowhere.
 *
 * @throws ConfigurationError with the name of an auth table, if there is one
 */
async function expectAccounts(
  session: Wire & CleanUp & RunSettings & TargetFacts,
  trySend: TrySend,
  table: TableRef,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const theirs = (ours: string) => table.fields?.[ours] ?? ours
  const isAccount = (row: Record<string, unknown>) =>
    ['email', 'verified', 'username'].some((field) => theirs(field) in row)
  if (rows.some(isAccount)) return
  const methods = await trySend(() => session.api('guest').authMethods(table))
  if (methods === undefined || !isRejected(methods) || !(await isNowhere(session, table, methods))) return
  const { found } = await discovered(session, table)
  const other = found.find(
    ({ name, auth, methods: has }) => name !== table.name && auth && (has || rows.length > 0),
  )
  if (other === undefined && rows.length === 0) return
  const what =
    rows.length > 0
      ? `the records of ${table.name} have no \`email\` and \`verified\`, and its auth-methods`
      : `the auth-methods of ${table.name}`
  throw new ConfigurationError(
    `${what} are rejected (${methods.status}): it is not an auth table`,
    `tables.${table.role}.name, at ${session.target.baseUrl}`,
    other === undefined ? 'map an auth table, in which accounts sign in' : `did you mean "${other.name}"?`,
  )
}

/** Records of a table, as the server sends them; undefined if the table does not seem to exist. */
async function rowsOf(session: Wire, trySend: TrySend, { name }: TableRef, type?: string) {
  // Without a mapping: the fields have the names that the server gives them.
  const table = { role: '', name }
  const listed = (actor: string) => trySend(() => session.api(actor).list(table))
  const list = await listed('guest')
  if (list === undefined) return []
  // A closed table shows its records to a superuser only.
  const seen = list.ok || !session.actors.knows('superuser') ? list : await listed('superuser')
  if (seen === undefined) return []
  const isThere =
    list.status !== 404 ||
    seen.status !== 404 ||
    (type === 'auth' && (await trySend(() => session.api('guest').authMethods(table)))?.ok !== false)
  if (!isThere) return undefined
  const { body } = seen
  return seen.ok && isObject(body) && Array.isArray(body.items) ? body.items.filter(isObject) : []
}

/**
 * The fields that the target file maps, in records that others made. Whether a server shows empty fields is left open: a
 * name that no record has is a mistake where a record shows an empty field, or where all strings of a plain table are in a
 * field of almost the same name.
 *
 * @param rows records of the table, with the target's names
 * @returns notes on names that may be right
 * @throws ConfigurationError on a name that is not
 */
function expectMapped(baseUrl: string, table: TableRef, rows: readonly Record<string, unknown>[]): string[] {
  const fields = table.fields ?? {}
  const isPlain = table.role === 'plain'
  const { free, missing } = fieldsIn(table, rows, Object.keys(fields))
  const showsNull = rows.some((row) => free.some((field) => row[field] === null))
  return missing.flatMap(({ ours, theirs }) => {
    const others = Object.entries(fields).flatMap(([name, each]) => (name === ours ? [] : [each]))
    const unmapped = free.filter((field) => !others.includes(field))
    const near = nearest(theirs, unmapped)
    const filled = unmapped.filter((field) =>
      rows.every((row) => typeof row[field] === 'string' && row[field] !== ''),
    )
    const isTypo = isPlain && nearest(theirs, filled, 2) !== undefined
    if (isTypo || (showsNull && (isPlain || near !== undefined)))
      throw noField(baseUrl, table, ours, near, free)
    if (near === undefined && !isPlain) return []
    const meant = near === undefined ? `their fields are ${free.join(', ')}` : `did you mean "${near}"?`
    return [
      `no record of ${table.name} shows the field "${theirs}" (tables.${table.role}.fields.${ours}): either it is empty in all of them, or the name is wrong: ${meant}`,
    ]
  })
}

/**
 * The same for records that were created with a value in each of the fields.
 *
 * @param fields our names
 * @throws ConfigurationError if no record has one of them
 */
export function expectFields(
  baseUrl: string,
  table: TableRef,
  rows: readonly Record<string, unknown>[],
  fields: readonly string[],
): void {
  const { free, missing } = fieldsIn(table, rows, fields)
  for (const { ours, theirs } of missing) {
    const near = nearest(theirs, free)
    if (near !== undefined || table.role === 'plain') throw noField(baseUrl, table, ours, near, free)
  }
}

/** @returns `free`: fields of the table that its records show; `missing`: those of `fields` that they do not show */
function fieldsIn(
  table: TableRef,
  rows: readonly Record<string, unknown>[],
  fields: readonly string[],
): { free: string[]; missing: { ours: string; theirs: string }[] } {
  const shown = new Set(rows.flatMap((row) => Object.keys(row)))
  const free = [...shown].filter((field) => !commonFields.some((each) => each === field))
  // Records without any field of their table say nothing of its names.
  if (free.length === 0) return { free, missing: [] }
  const missing = fields
    .map((ours) => ({ ours, theirs: table.fields?.[ours] ?? ours }))
    .filter(({ ours, theirs }) => !shown.has(theirs) && ours !== 'password')
  return { free, missing }
}

function noField(
  baseUrl: string,
  table: TableRef,
  ours: string,
  near: string | undefined,
  free: readonly string[],
): ConfigurationError {
  return new ConfigurationError(
    `no record of ${table.name} has the field "${table.fields?.[ours] ?? ours}"`,
    `tables.${table.role}.fields.${ours}, at ${baseUrl}`,
    near === undefined ? `fields that its records have: ${free.join(', ')}` : `did you mean "${near}"?`,
  )
}

/**
 * @param isKnown whether the table is known not to exist
 * @throws ConfigurationError unless nothing is found at all: a server that lists no table is for the checks to judge
 */
async function explain(
  session: Wire & RunSettings,
  table: TableRef,
  isKnown: boolean,
  isConfirmed: () => Promise<boolean>,
): Promise<void> {
  const { target } = session
  const { prefix } = makePaths(target.binding)
  const found = await discovered(session, table)
  const names = found.found.map(({ name }) => name)
  if (names.length === 0) return
  if (found.prefix !== prefix)
    throw wrongPrefixError({
      given: prefix,
      found: found.prefix,
      names,
      place: `the prefix, at ${target.baseUrl}`,
      next: (shown) => `use prefix: ${shown}`,
    })
  if (names.includes(table.name)) return
  const used = Object.values(target.tables).map(({ name }) => name)
  const near = nearest(
    table.name,
    names.filter((name) => isKnown || !used.includes(name)),
  )
  if (!isKnown && near === undefined) return
  const hint =
    near === undefined
      ? `tables that were found: ${names.join(', ')}${await hiddenHint(session, isConfirmed)}`
      : `did you mean "${near}"?`
  throw new ConfigurationError(
    `the server has no table "${table.name}" (a list returned status 404)`,
    `tables.${table.role}.name, at ${target.baseUrl}`,
    hint,
  )
}

/** What to do if the table exists, and the run is not allowed to see it. A superuser sees every table. */
async function hiddenHint({ actors }: Wire, isConfirmed: () => Promise<boolean>): Promise<string> {
  const mayBeHidden = '; if guests may not see the table, '
  if (!actors.knows('superuser')) return `${mayBeHidden}set the credentials of a superuser`
  if (await isConfirmed()) return ''
  return `${mayBeHidden}correct ${superuserPlaces}: no response shows that the superuser sees more than a guest`
}

function discovered(
  { target, options, configuredHeaders: headers, count }: Wire & RunSettings,
  { name }: TableRef,
): Promise<Discovery> {
  const { timeout, rate, concurrency } = options
  const { superuser } = target.credentials
  return discover(target.baseUrl, { headers, timeout, rate, concurrency, count, names: [name], superuser })
}
