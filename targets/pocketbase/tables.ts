/**
 * Tables of a run on the server: names and identifiers carry the letters of the run, and a table is known again by both.
 *
 * @module
 */

import { type Admin, listTables } from '../../harness/target/admin.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { loadTables } from '../../spec/tables.ts'

interface Listed {
  id: string
  name: string
}

const ours = /^conf_([a-z0-9]{5})_[a-z]+$/

/** The run that made a table. A table of another client may have the same name; it does not have our identifier too. */
function runOf({ name, id }: Listed): string | undefined {
  const run = ours.exec(name)?.[1]
  if (run === undefined) return undefined
  const made = namespaced(loadTables(), run).find(({ definition }) => definition.name === name)
  return made?.definition.id === id ? run : undefined
}

/** Definitions with the run's letters in every name, id, index and rule: `conf_plain` becomes `conf_<run>_plain`. */
export function namespaced<T>(definitions: T, run: string): T {
  return JSON.parse(JSON.stringify(definitions).replaceAll(/\b(idx_)?conf_/g, `$1conf_${run}_`)) as T
}

/** How a version says that it does not know the type of a field. The definition is JSON inside JSON. */
const unknownType = /unknown field type in .*?type\\?":\s*\\?"(\w+)/

/**
 * Creates tables. An older version lacks some field types: it gets the tables without those fields.
 *
 * @returns the field types that the server does not have
 * @throws Error when the server rejects the tables for another reason
 */
export async function importTables(admin: Admin, tables: readonly TableDefinition[]): Promise<string[]> {
  const lacking: string[] = []
  for (;;) {
    const collections = tables.map((table) => ({
      ...table,
      fields: table.fields?.filter(({ type }) => !lacking.includes(type)),
    }))
    try {
      await admin.call('PUT', '/collections/import', { deleteMissing: false, collections })
      return lacking
    } catch (error) {
      const type = unknownType.exec(String(error))?.[1]
      if (type === undefined || lacking.includes(type)) throw error
      lacking.push(type)
    }
  }
}

/** Runs that have tables on the server. */
export async function runsWithTables(admin: Admin): Promise<ReadonlySet<string>> {
  const runs = new Set<string>()
  for (const table of (await listTables(admin)) as unknown as Listed[]) {
    const run = runOf(table)
    if (run !== undefined) runs.add(run)
  }
  return runs
}

/**
 * Removes the tables of a run, those that others refer to after the others.
 *
 * @returns how many
 * @throws Error when some stay
 */
export async function removeTables(admin: Admin, run: string): Promise<number> {
  let left = ((await listTables(admin)) as unknown as Listed[]).filter((table) => runOf(table) === run)
  const count = left.length
  let reason: unknown
  while (left.length > 0) {
    const rejected: Listed[] = []
    for (const table of left) {
      try {
        await admin.call('DELETE', `/collections/${table.id}`)
      } catch (error) {
        reason = error
        rejected.push(table)
      }
    }
    if (rejected.length === left.length) {
      const names = rejected.map(({ name }) => name).join(', ')
      throw new Error(`the tables ${names} could not be removed: ${(reason as Error).message}`)
    }
    left = rejected
  }
  return count
}
