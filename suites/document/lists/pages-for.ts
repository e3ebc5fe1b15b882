import type { Api, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import { idsOf, type SharedRecords } from '../../shared/lists/shared-records.ts'
import { walk } from '../../shared/lists/walk.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * All pages of these records, as another client lists them. Undefined if they are not exactly these records: who may list
 * a table, and what of it, is left open.
 */
export async function pagesFor(
  api: Api,
  { table, filter, records }: SharedRecords,
  query: Query,
): Promise<{ pages: ListBody[]; items: WireRecord[] } | undefined> {
  const list = async (page: Query) => listOf(await api.list(table, { filter, ...page }))
  const pages = await unlessPrevented(() => walk(list, query, records.length))
  if (pages === undefined) return undefined
  const items = pages.flatMap((page) => page.items)
  return idsOf(items).sort().join() === idsOf(records).sort().join() ? { pages, items } : undefined
}
