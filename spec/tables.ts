/**
 * The tables that the suites need, by role.
 *
 * @module
 */

import { readData } from './read-data.ts'
import type { FieldDefinition, TableDefinition } from './table-definition.ts'

export interface RoleTable {
  /** `plain`, `members`, ...: how suites and target files name it. */
  role: string
  /** The definition, ready to import. Its name is the role with the prefix `conf_`. */
  definition: TableDefinition
}

const read = new Map<string, RoleTable[]>()

/** A fresh copy each time, which may be modified. */
function tablesIn(name: string): RoleTable[] {
  const tables = read.get(name) ?? (readData(name) as { tables: RoleTable[] }).tables
  read.set(name, tables)
  return structuredClone(tables)
}

/** All tables of `tables.yaml` in its order: a setup creates them. */
export function loadTables(): RoleTable[] {
  return tablesIn('tables')
}

/** The same, and the roles of `mapped-tables.yaml`, which only a target maps to tables of its own. */
export function loadRoles(): RoleTable[] {
  return [...loadTables(), ...tablesIn('mapped-tables')]
}

let fields: ReadonlyMap<string, readonly FieldDefinition[]> | undefined

/** The fields that our definition gives to the table of a role, its stamps included. None for an unknown role. */
export function definedFieldsOf(role: string): readonly FieldDefinition[] {
  fields ??= new Map(loadRoles().map((each) => [each.role, each.definition.fields ?? []]))
  return fields.get(role) ?? []
}

/** Roles of tables that are configured for sign-in. */
export function authRoles(): ReadonlySet<string> {
  return new Set(
    loadTables()
      .filter(({ definition }) => definition.type === 'auth')
      .map(({ role }) => role),
  )
}

/** Roles of tables in which each of these rules lets everyone in. */
export function openRoles(
  ...rules: readonly ('viewRule' | 'createRule' | 'updateRule' | 'deleteRule')[]
): ReadonlySet<string> {
  const isOpen = ({ definition }: RoleTable) => rules.every((rule) => definition[rule] === '')
  return new Set(
    loadRoles()
      .filter(isOpen)
      .map(({ role }) => role),
  )
}

/** Only the definitions, as an import request contains them. */
export function tableDefinitions(): TableDefinition[] {
  return loadTables().map(({ definition }) => definition)
}
