/**
 * Which tables of a server fit which roles of the suite. Pure.
 *
 * @module
 */

import { loadTables } from '../../spec/tables.ts'
import type { Relation } from '../target/relation-in.ts'
import type { TableRef } from '../vocabulary/target.ts'
import { type FoundTable, isAccount } from './find-tables.ts'
import { relationsIn } from './relations-in.ts'
import { titleOf } from './title-of.ts'

export interface FittingTables {
  /** The table that fits each role best. */
  tables: Record<string, TableRef>
  /** Tables for `plain`, the best first. One that shows no text field has no `fields`. */
  plain: TableRef[]
  /** The same, of tables that a guest cannot list. */
  closed: TableRef[]
  /** Tables for `members`, the best first: auth tables, then, if none reports sign-in methods, tables with a usual name. */
  members: TableRef[]
  /** Pairs of tables for `child` and `parent`, the best first. */
  relations: Relation[]
}

/** Usual names of auth tables, the most usual first. */
export const accountNames: readonly string[] = [
  'users',
  'members',
  'accounts',
  'people',
  'customers',
  'profiles',
  'admins',
  'staff',
  'authors',
]

/** Tables that have our own names keep their roles. */
export function fittingTables(found: readonly FoundTable[]): FittingTables {
  const tables: Record<string, TableRef> = {}
  const free: FoundTable[] = []
  const roles = new Map(loadTables().map(({ role, definition }) => [definition.name, role]))
  for (const table of found) {
    const role = roles.get(table.name)
    if (role === undefined) free.push(table)
    else tables[role] = { role, name: table.name }
  }
  const plain = plainTables(free.filter(({ open }) => open))
  const closed = plainTables(free.filter(({ open }) => !open))
  if (plain[0] !== undefined) tables.plain ??= plain[0]
  // Where one table reports sign-in methods, a name alone says nothing: an auth table would report them too.
  const reported = found.some(({ methods }) => methods === true)
  const members = free
    .filter(({ name, auth }) => auth || (!reported && accountNames.includes(name)))
    .sort((one, other) => fitOfAccounts(other) - fitOfAccounts(one))
  const [first] = members
  if (first?.auth === true) tables.members ??= { role: 'members', name: first.name }
  // A server may return sign-in methods for each table: only a record shows then that it is not an account.
  const unsure = free.filter((table) => table.open && table.auth && table !== first && !hasAccounts(table))
  return {
    tables,
    plain: [...plain, ...unsure.map(({ name }) => ({ role: 'plain', name }))],
    closed,
    members: members.map(({ name }) => ({ role: 'members', name })),
    relations: relationsIn(free),
  }
}

function hasAccounts({ rows }: FoundTable): boolean {
  return rows.some(isAccount)
}

/** How well the table fits accounts. */
function fitOfAccounts(table: FoundTable): number {
  const { name, auth, open } = table
  return (
    (hasAccounts(table) ? 8 : 0) + (auth ? 4 : 0) + (accountNames.includes(name) ? 2 : 0) + (open ? 1 : 0)
  )
}

/** Tables that may have the role `plain`, the best first. */
export function plainTables(found: readonly FoundTable[]): TableRef[] {
  return found
    .filter(({ auth }) => !auth)
    .map(({ name, rows }) => ({ name, rows, title: titleOf(rows) }))
    .sort((one, other) => rankOf(other) - rankOf(one))
    .map(({ name, title }): TableRef => {
      const ref = { role: 'plain', name }
      return title === undefined ? ref : { ...ref, fields: { title: title.field } }
    })
}

/** A table that is named as one for accounts is tried after all others that may fit, whatever its records show. */
function rankOf(table: {
  name: string
  rows: readonly unknown[]
  title?: { fit: number } | undefined
}): number {
  const fit = fitOf(table)
  return fit > 0 && !accountNames.includes(table.name) ? fit + 100 : fit
}

/** An empty table may fit: a new record shows it. One whose records have no string does not. */
function fitOf({ rows, title }: { rows: readonly unknown[]; title?: { fit: number } | undefined }): number {
  if (title !== undefined) return title.fit
  return rows.length === 0 ? 1 : 0
}
