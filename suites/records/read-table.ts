import { expectThat } from '../../harness/judging/expect.ts'
import type { Api, WireRecord } from '../../harness/vocabulary/api.ts'
import type { TableRef } from '../../harness/vocabulary/target.ts'
import { listOf } from './record-of.ts'

const PER_PAGE = 200
const MOST_PAGES = 500

/** Every record of a table that `keep` accepts, read page by page without filter and sort, by id. */
export async function readTable(
  api: Api,
  table: TableRef,
  keep: (record: WireRecord) => boolean,
): Promise<Map<string, WireRecord>> {
  const found = new Map<string, WireRecord>()
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { items, totalPages } = listOf(
      await api.list(table, { page, perPage: PER_PAGE }),
      `page ${page} of ${table.name}`,
    )
    for (const record of items) {
      if (!keep(record)) continue
      expectThat(!found.has(record.id), `${table.name} lists a record twice`, 'each record once', record.id)
      found.set(record.id, record)
    }
    if (items.length === 0 || page >= totalPages) break
  }
  return found
}
