/**
 * Searches a table for the records of creates that got no answer, or one that names nothing.
 *
 * @module
 */

import { idOf } from '../ownership/prior-records.ts'
import type { Session } from '../session.ts'
import type { Api, Body, Query } from '../vocabulary/api.ts'
import { conditionText } from '../wire/query-words.ts'
import type { Intent } from './journal.ts'

/** Pages of a table that are read where it cannot be asked for one value. */
const mostPages = 50
const perPage = 200

/**
 * Ids of the records with the value of an intent. The table is filtered in the target's own words, and read page by page
 * where it rejects the filter.
 *
 * @returns a reason instead where nothing can be listed
 */
export async function findIntended(
  session: Session,
  api: Api,
  { table, field, value }: Intent,
): Promise<{ ids: string[] } | { reason: string }> {
  const list = (query: Query) => api.list({ role: '', name: table }, query)
  // How a condition escapes other characters is left open.
  if (/^[\w .@-]*$/.test(value)) {
    const asked = await list({ filter: conditionText(session.binding, field, value), perPage })
    if (asked.ok) return { ids: idsIn(asked.body, field, value) }
  }
  const ids: string[] = []
  let size: Query = { perPage }
  let first = 1
  for (let read = 0; read < mostPages; read += 1) {
    // Without its number the first page comes, from wherever a server counts.
    const from = read === 0 ? {} : { page: first + read }
    let reply = await list({ ...size, ...from })
    if (!reply.ok && read === 0) {
      // A server may reject this page size.
      size = {}
      reply = await list({})
    }
    if (!reply.ok) return { reason: `the list was answered with ${reply.status}` }
    ids.push(...idsIn(reply.body, field, value))
    const { page, totalPages } = (reply.body ?? {}) as { page?: unknown; totalPages?: unknown }
    if (read === 0 && typeof page === 'number') first = page
    if (typeof totalPages !== 'number' || read + 1 >= totalPages) break
  }
  return { ids }
}

/** A server may ignore a filter, or normalise what it keeps: what it lists is compared once more. */
function idsIn(body: unknown, field: string, value: string): string[] {
  const { items } = (body ?? {}) as { items?: unknown }
  if (!Array.isArray(items)) return []
  const plain = (text: unknown) => String(text).normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return (items as (Body | null)[])
    .filter((item) => plain(item?.[field]) === plain(value))
    .flatMap((item) => idOf(item) ?? [])
}
