/**
 * The table of superusers (contract-auth 10.7): an auth table that only they can see.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import type { Table } from '../vocabulary.ts'

export const superusersTable: TableDefinition = {
  id: 'pbc_3142635823',
  name: '_superusers',
  type: 'auth',
  system: true,
  listRule: null,
  viewRule: null,
  createRule: null,
  updateRule: null,
  deleteRule: null,
  fields: [
    { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
    { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
  ],
  authAlert: { enabled: false },
  authToken: { duration: 86400 },
}

export function isSuperusersTable(table: Table): boolean {
  return table.system && table.name === superusersTable.name
}
