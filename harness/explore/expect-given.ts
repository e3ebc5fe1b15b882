/**
 * Whether the tables and fields that a target file names are there. A wrong name would otherwise look like a server that
 * fails every check of the table.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { nearest } from '../../spec/nearest.ts'
import { loadTables } from '../../spec/tables.ts'
import { ConfigurationError } from '../errors.ts'
import type { Session } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { discover } from './discover.ts'

/** @throws ConfigurationError with the nearest name, or with the prefix under which the tables are */
export async function expectGivenTables(session: Wire & Pick<Session, 'options'>): Promise<void> {
  const { target } = session
  const roles = new Map(loadTables().map(({ role, definition }) => [role, definition]))
  const given = Object.values(target.tables).filter(({ role, name }) => {
    const ours = roles.get(role)
    return ours !== undefined && ours.name !== name && ours.listRule === ''
  })
  if (target.explored !== undefined || given.length === 0) return
  const looks = await Promise.all(
    given.map(async (table) => ({ table, rows: await rowsOf(session, table, roles.get(table.role)?.type) })),
  )
  for (const { table, rows } of looks) if (rows !== undefined) expectFields(target.baseUrl, table, rows)
  const missing = looks.find(({ rows }) => rows === undefined)
  if (missing !== undefined) await explain(session, missing.table)
}

/** Records of a table, as the server sends them; undefined where the table does not seem to exist. */
async function rowsOf(session: Wire, { name }: TableRef, type?: string) {
  // Without a mapping: the fields have the names that the server gives them.
  const table = { role: '', name }
  const list = await session.api('guest').list(table)
  const isThere =
    list.status !== 404 ||
    (type === 'auth' && (await session.api('guest').authMethods(table)).ok) ||
    (session.actors.knows('superuser') && (await session.api('superuser').list(table)).status !== 404)
  if (!isThere) return undefined
  const { body } = list
  return isObject(body) && Array.isArray(body.items) ? body.items.filter(isObject) : []
}

function expectFields(baseUrl: string, table: TableRef, rows: readonly Record<string, unknown>[]): void {
  const shown = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  for (const [ours, theirs] of Object.entries(table.fields ?? {})) {
    if (shown.length === 0 || shown.includes(theirs) || ours === 'password') continue
    const free = shown.filter((field) => !commonFields.some((each) => each === field))
    const near = nearest(theirs, free)
    // Records may leave out what is empty; but the one text of a plain table is rarely empty in all of them.
    if (near === undefined && table.role !== 'plain') continue
    throw new ConfigurationError(
      `no record of ${table.name} has the field "${theirs}"`,
      `tables.${table.role}.fields.${ours}, at ${baseUrl}`,
      near === undefined ? `fields that its records have: ${free.join(', ')}` : `did you mean "${near}"?`,
    )
  }
}

/** @throws ConfigurationError unless nothing is found at all: a server that lists no table is for the checks to judge */
async function explain(
  { target, options, ownHeaders: headers }: Wire & Pick<Session, 'options'>,
  table: TableRef,
): Promise<void> {
  const { timeout, rate, concurrency } = options
  const { prefix } = makePaths(target.binding)
  const found = await discover(target.baseUrl, { headers, timeout, rate, concurrency, names: [table.name] })
  const names = found.found.map(({ name }) => name)
  if (names.length === 0) return
  if (found.prefix !== prefix)
    throw new ConfigurationError(
      `no table responds under the prefix ${prefix === '' ? '""' : prefix}, but ${names.join(', ')} under ${found.prefix === '' ? '""' : found.prefix}`,
      `the prefix, at ${target.baseUrl}`,
      `use prefix: ${found.prefix === '' ? '""' : found.prefix}`,
    )
  if (names.includes(table.name)) return
  const near = nearest(table.name, names)
  throw new ConfigurationError(
    `the server has no table "${table.name}" (a list returned status 404)`,
    `tables.${table.role}.name, at ${target.baseUrl}`,
    near === undefined ? `tables that were found: ${names.join(', ')}` : `did you mean "${near}"?`,
  )
}
