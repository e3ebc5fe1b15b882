/**
 * Tables of a run on the server: their names carry the letters of the run, and that is how they are known again.
 *
 * @module
 */

import type { Admin } from './admin.ts'

interface Listed {
  id: string
  name: string
  created?: string
}

const ours = /^conf_([a-z0-9]{5})_[a-z]+$/

/** Definitions with the run's letters in every name, id, index and rule: `conf_plain` becomes `conf_<run>_plain`. */
export function namespaced<T>(definitions: T, run: string): T {
  return JSON.parse(JSON.stringify(definitions).replaceAll(/\b(idx_)?conf_/g, `$1conf_${run}_`)) as T
}

/** Every table on the server. */
export async function listTables(admin: Admin): Promise<Record<string, unknown>[]> {
  const { items } = (await admin.call('GET', '/collections?perPage=500&skipTotal=1')) as {
    items: Record<string, unknown>[]
  }
  return items
}

/** Runs that have tables on the server, with the time at which the first was made. */
export async function runsWithTables(admin: Admin): Promise<Map<string, number>> {
  const runs = new Map<string, number>()
  for (const { name, created = '' } of (await listTables(admin)) as unknown as Listed[]) {
    const run = ours.exec(name)?.[1]
    const made = Date.parse(created.replace(' ', 'T')) || 0
    if (run !== undefined) runs.set(run, Math.min(made, runs.get(run) ?? made))
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
  let left = ((await listTables(admin)) as unknown as Listed[]).filter(
    ({ name }) => ours.exec(name)?.[1] === run,
  )
  const count = left.length
  let reason: unknown
  while (left.length > 0) {
    const refused: Listed[] = []
    for (const table of left) {
      try {
        await admin.call('DELETE', `/collections/${table.id}`)
      } catch (error) {
        reason = error
        refused.push(table)
      }
    }
    if (refused.length === left.length) {
      const names = refused.map(({ name }) => name).join(', ')
      throw new Error(`the tables ${names} could not be removed: ${(reason as Error).message}`)
    }
    left = refused
  }
  return count
}
