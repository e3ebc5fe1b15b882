import { isSuccess } from '../../spec/status-range.ts'
import { loadTables } from '../../spec/tables.ts'
import type { TrySend } from '../explore/usable-response.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'

/** What was found, in addition to the tables that the target names. */
export interface UsualTables {
  /** By role: the given ones, and those that were found. */
  tables: Record<string, TableRef>
  /** Roles of those that were found. */
  found: ReadonlySet<string>
  /** Roles without a table. */
  missing: readonly string[]
  notes: string[]
}

/** Looks for the tables that the target does not name under the names of `spec/tables.yaml`. */
export async function findUsualTables(session: Wire, trySend: TrySend): Promise<UsualTables> {
  const tables: Record<string, TableRef> = { ...session.target.tables }
  const found = new Set<string>()
  const missing: string[] = []
  const faulty: string[] = []
  const listed = (table: TableRef) => trySend(() => session.api('guest').list(table))
  let nowhere: Promise<ApiResponse | undefined> | undefined
  /**
   * Whether a table that does not exist returns the same status: some servers reject guests before they look for the
   * table. An unusable response has no status.
   */
  const saysNothing = async (status: number | undefined) => {
    if (status !== undefined && status !== 401 && status !== 403) return false
    nowhere ??= listed({ role: '', name: NO_TABLE })
    return (await nowhere)?.status === status
  }
  const looks = loadTables()
    .filter(({ role }) => tables[role] === undefined && session.target.absentTables?.includes(role) !== true)
    .map(async ({ role, definition }) => {
      // Its identifier is the target's own, even where the name is ours.
      const table: TableRef = { role, name: definition.name }
      const response = await listed(table)
      const isMissing = response?.status === 404 || (response?.ok === false && isSuccess(response.status))
      return { role, definition, table, status: response?.status, isMissing }
    })
  for (const { role, definition, table, status, isMissing } of await Promise.all(looks)) {
    const fails = status !== undefined && status >= 500
    if (fails) faulty.push(`${definition.name} with ${status}`)
    if (isMissing || fails || (await saysNothing(status))) missing.push(role)
    else {
      tables[role] = table
      found.add(role)
    }
  }
  return { tables, found, missing, notes: faulty.length === 0 ? [] : [faultyNote(faulty)] }
}

function faultyNote(faulty: readonly string[]): string {
  const more = faulty.length > 3 ? ` and ${faulty.length - 3} more` : ''
  return `listing some tables returns a server error (${faulty.slice(0, 3).join(', ')}${more}); they count as missing: map your own in the target file`
}
