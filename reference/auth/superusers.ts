import { superusers } from '../tables/system.ts'
import type { Table } from '../vocabulary.ts'

/** Whether records of a table are superusers: they pass every rule (contract-auth 10.7). */
export function isSuperusersTable(table: Table): boolean {
  return table.system && table.name === superusers.name
}
