import type { Api, Body } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * Updates all fields at once or, since how values are written is left open, those that the target takes one by one.
 *
 * @returns the fields that it took
 */
export async function updateAsTaken(api: Api, table: TableRef, id: string, body: Body): Promise<string[]> {
  if ((await api.update(table, id, body)).ok) return Object.keys(body)
  const taken: string[] = []
  for (const [field, value] of Object.entries(body))
    if ((await api.update(table, id, { [field]: value })).ok) taken.push(field)
  return taken
}
