import type { Api, Body } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/**
 * Updates all fields at once. If the target rejects that, updates them one at a time: the document leaves open how values
 * are written.
 *
 * @returns the fields that the target took
 */
export async function updateAsTaken(api: Api, table: TableRef, id: string, body: Body): Promise<string[]> {
  if ((await api.update(table, id, body)).ok) return Object.keys(body)
  const taken: string[] = []
  for (const [field, value] of Object.entries(body))
    if ((await api.update(table, id, { [field]: value })).ok) taken.push(field)
  return taken
}
