/**
 * Searches a table for the records of creates that got no answer, or one that names nothing.
 *
 * @module
 */

import type { Session } from '../session.ts'
import type { Api, Body, Query } from '../vocabulary/api.ts'
import type { Intent } from './journal.ts'

/** Pages of a table that are read where it cannot be asked for one value. */
const mostPages = 50
const perPage = 200

/**
 * Ids of the records with exactly the value of an intent. The table is asked for it in the target's own words, and
 * read page by page where it refuses the question.
 *
 * @returns a reason instead where nothing can be listed
 */
export async function findIntended(
  session: Session,
  api: Api,
  { table, field, value }: Intent,
): Promise<{ ids: string[] } | { reason: string }> {
  const list = (query: Query) => api.list({ role: '', name: table }, query)
  const template = session.binding['filter.equals'] ?? '{field} = "{value}"'
  const filter = template.replace('{field}', () => field).replace('{value}', () => value)
  const asked = await list({ filter, perPage })
  if (asked.ok) return { ids: idsIn(asked.body, field, value) }
  const ids: string[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await list({ page, perPage })
    if (!reply.ok) return { reason: `the list was answered with ${reply.status}` }
    ids.push(...idsIn(reply.body, field, value))
    const { totalPages } = (reply.body ?? {}) as { totalPages?: unknown }
    if (typeof totalPages !== 'number' || page >= totalPages) break
  }
  return { ids }
}

/** A server may ignore a filter: what it gives is looked at again. */
function idsIn(body: unknown, field: string, value: string): string[] {
  const { items } = (body ?? {}) as { items?: unknown }
  if (!Array.isArray(items)) return []
  return (items as (Body | null)[]).flatMap((item) => {
    if (item?.[field] !== value) return []
    const { id } = item
    // A number is no id of the document, and leads to the record in a path all the same.
    return (typeof id === 'string' && id !== '') || typeof id === 'number' ? [String(id)] : []
  })
}
