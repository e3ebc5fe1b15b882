/**
 * The tables that the suites need, by role.
 *
 * @module
 */

import { readData } from './read-data.ts'
import type { TableDefinition } from './table-definition.ts'

export interface RoleTable {
  /** `plain`, `members`, ...: how suites and target files name it. */
  role: string
  /** The definition, ready to import. Its name is the role with the prefix `conf_`. */
  definition: TableDefinition
}

let read: RoleTable[] | undefined

/** All tables of `tables.yaml` in its order. Each call returns a fresh copy, which may be modified. */
export function loadTables(): RoleTable[] {
  read ??= (readData('tables') as { tables: RoleTable[] }).tables
  return structuredClone(read)
}

/** Roles of tables that are configured for sign-in. */
export function authRoles(): ReadonlySet<string> {
  return new Set(
    loadTables()
      .filter(({ definition }) => definition.type === 'auth')
      .map(({ role }) => role),
  )
}

/** Only the definitions, as an import request contains them. */
export function tableDefinitions(): TableDefinition[] {
  return loadTables().map(({ definition }) => definition)
}
