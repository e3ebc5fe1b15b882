/**
 * The tables that the fuzzer's servers have: those of the suites, and one in which every record points to all others.
 *
 * @module
 */

import type { TableDefinition } from '../../../spec/table-definition.ts'
import { tableDefinitions } from '../../../spec/tables.ts'

/** Records of `conf_web` that point to each other: six steps along `kids` from one of them reach `webSize ** 6` bindings. */
export const webSize = 12

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }

const web: TableDefinition = {
  id: 'conf_web_0001',
  name: 'conf_web',
  type: 'base',
  ...open,
  fields: [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'editor' },
    { name: 'kids', type: 'relation', collectionId: 'conf_web_0001', maxSelect: 99 },
    { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
    { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
  ],
}

export function worldTables(): TableDefinition[] {
  return [...tableDefinitions(), web]
}

export const roleOf = (table: TableDefinition): string => table.name.replace(/^conf_/, '')
