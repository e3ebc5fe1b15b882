/**
 * Table definitions by name and identifier, their fields ready to be checked.
 *
 * @module
 */

import { commonFields } from '../../spec/common-fields.ts'
import type { FieldInput, TableInput } from '../../spec/table-definition.ts'

export interface IndexedTable {
  name: string
  auth: boolean
  fields: readonly FieldInput[]
  /** Every key that a record of the table may have. */
  keys: ReadonlySet<string>
  /**
   * Whether the definition describes the server's own table. Otherwise only its field types apply, not its bounds,
   * choices and names.
   */
  isExact: boolean
}

export interface TableIndex {
  names: readonly string[]
  /** By name in any case, or by identifier. */
  find(nameOrId: string): IndexedTable | undefined
}

const common = [...commonFields, 'expand']
const ofAuth = ['email', 'emailVisibility', 'verified']
/** Checked for every record, whatever its table. */
const elsewhere = new Set([...common, ...ofAuth, 'tokenKey'])

/** @param isExact the definitions describe the server's own tables */
export function indexTables(tables: readonly TableInput[], isExact = true): TableIndex {
  const byKey = new Map<string, IndexedTable>()
  for (const { id, name, type, fields = [] } of tables) {
    const auth = type === 'auth'
    const table: IndexedTable = {
      name,
      auth,
      fields: fields.filter((field) => !elsewhere.has(field.name) && !(auth && field.name === 'password')),
      keys: new Set([...common, ...(auth ? ofAuth : []), ...fields.map((field) => field.name)]),
      isExact,
    }
    byKey.set(name.toLowerCase(), table)
    if (id !== undefined) byKey.set(id, table)
  }
  return {
    names: tables.map(({ name }) => name),
    find: (key) => byKey.get(key) ?? byKey.get(key.toLowerCase()),
  }
}
