import { expectThat, UntestableError } from '../../../harness/judging/expect.ts'
import type { Api, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { formHint } from '../../../harness/wire/query-text.ts'
import { pageAfter } from '../lists/walk.ts'
import { expectInReach } from '../lists/walk-table.ts'
import { type ListBody, listOf } from './record-of.ts'

/** Sizes of page that are tried one after the other: the document does not say how many records a server returns at a time. */
const sizes = [200, 50, 20, 5, undefined] as const

/** The first of `sizes` that a server did not reject. */
const taken = new WeakMap<Api, number>()

/** Pages of a table that no check of its own has filled: beyond them reading would take longer than a check may. */
const mostPages = 500

/** Every record of a table that `keep` accepts, read page by page without filter and sort, by id. */
export async function readTable(
  api: Api,
  table: TableRef,
  keep: (record: WireRecord) => boolean,
): Promise<Map<string, WireRecord>> {
  const first = await firstPage(api, table)
  if (!hasMore(first, 1, first.items.length)) return readFrom(first, api, table, keep)
  return api.undisturbed(async () => readFrom(await firstPage(api, table), api, table, keep))
}

/** Whether one of the totals says that pages follow: the other one may be wrong, which is another requirement. */
function hasMore({ items, totalItems, totalPages }: ListBody, pages: number, records: number): boolean {
  return items.length > 0 && (pages < totalPages || records < totalItems)
}

async function readFrom(
  first: ListBody,
  api: Api,
  table: TableRef,
  keep: (record: WireRecord) => boolean,
): Promise<Map<string, WireRecord>> {
  const found = new Map<string, WireRecord>()
  let body = first
  let records = 0
  for (let read = 1; ; read += 1) {
    records += body.items.length
    if (read > 1 && body.page === first.page && body.items[0]?.id === first.items[0]?.id)
      throw new UntestableError(
        `${table.name} shows page ${first.page} again instead of page ${pageAfter(first, read - 1)}`,
        `if page numbers have another parameter, ${formHint('page number')}`,
      )
    // Where others write between two pages, a record of ours moves on to the next one.
    const settled = body.totalItems === first.totalItems
    for (const record of body.items) {
      if (!keep(record)) continue
      expectThat(
        !found.has(record.id) || !settled,
        `${table.name} lists a record twice`,
        'each record once',
        record.id,
      )
      found.set(record.id, record)
    }
    if (!hasMore(body, read, records)) return found
    if (read === mostPages)
      throw new UntestableError(
        `${table.name} has more records than a check can read (${first.totalItems})`,
        `map the role "${table.role}" to a table with fewer records`,
      )
    const page = pageAfter(first, read)
    const response = await api.list(table, { page, perPage: sizes[taken.get(api) ?? 0] })
    // A page beyond the last one may be rejected.
    if (!response.ok && read >= body.totalPages) return found
    expectInReach(response, table, page)
    body = listOf(response, `page ${page} of ${table.name}`)
  }
}

async function firstPage(api: Api, table: TableRef): Promise<ListBody> {
  for (let at = taken.get(api) ?? 0; ; at += 1) {
    const response = await api.list(table, { perPage: sizes[at] })
    if (!response.ok && at < sizes.length - 1) continue
    if (response.ok) taken.set(api, at)
    return listOf(response, `the first page of ${table.name}`)
  }
}
