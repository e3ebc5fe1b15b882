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
  /** Importable as it is. Its name is the role with `conf_` in front. */
  definition: TableDefinition
}

let read: RoleTable[] | undefined

/** All tables of `tables.yaml` in its order. Each call gives a fresh copy, free to be changed. */
export function loadTables(): RoleTable[] {
  read ??= (readData('tables') as { tables: RoleTable[] }).tables
  return structuredClone(read)
}

/** Only the definitions, as an import request carries them. */
export function tableDefinitions(): TableDefinition[] {
  return loadTables().map(({ definition }) => definition)
}
