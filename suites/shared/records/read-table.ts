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

/**
 * How often a list of several pages is read that other clients change meanwhile. Where they create, delete or move a record
 * before the next page is read, that page begins with a record of the last one, or one record later.
 */
const mostReads = 3

/**
 * Every record of a table that `keep` accepts, read page by page without filter and sort, by id. Expects each of them once,
 * unless other clients may be the cause.
 */
export async function readTable(
  api: Api,
  table: TableRef,
  keep: (record: WireRecord) => boolean,
): Promise<Map<string, WireRecord>> {
  const start = await firstPage(api, table)
  const found = new Map<string, WireRecord>()
  if (!hasMore(start, 1, start.items.length)) {
    expectOnce(table, (await readFrom(start, api, table, keep, found)).repeated)
    return found
  }
  return api.undisturbed(async () => {
    let suspects: readonly string[] | undefined
    for (let read = 1; read <= mostReads; read += 1) {
      const first = await firstPage(api, table)
      const { repeated, totals } = await readFrom(first, api, table, keep, found)
      const last = await firstPage(api, table)
      const isSettled = totals.size === 1 && factsOf(first) === factsOf(last)
      if (!isSettled) continue
      if (repeated.length === 0) return found
      // A change in the middle of the table shows in no total and not on the first page.
      expectOnce(table, suspects?.filter((id) => repeated.includes(id)) ?? [])
      suspects = repeated
    }
    return found
  })
}

/** What of a first page changes where other clients write. */
function factsOf({ totalItems, items }: ListBody): string {
  return JSON.stringify([totalItems, ...items.map(({ id }) => id)])
}

function expectOnce(table: TableRef, [repeated]: readonly string[]): void {
  expectThat(repeated === undefined, `${table.name} lists a record twice`, 'each record once', repeated)
}

/** Whether one of the totals says that pages follow: the other one may be wrong, which is another requirement. */
function hasMore({ items, totalItems, totalPages }: ListBody, pages: number, records: number): boolean {
  return items.length > 0 && (pages < totalPages || records < totalItems)
}

/**
 * Reads all pages once.
 *
 * @param found what was read before; gets what is read now
 */
async function readFrom(
  first: ListBody,
  api: Api,
  table: TableRef,
  keep: (record: WireRecord) => boolean,
  found: Map<string, WireRecord>,
): Promise<{ repeated: readonly string[]; totals: ReadonlySet<number> }> {
  const seen = new Set<string>()
  const repeated: string[] = []
  const totals = new Set<number>()
  let body = first
  let records = 0
  for (let read = 1; ; read += 1) {
    records += body.items.length
    if (read > 1 && body.page === first.page && body.items[0]?.id === first.items[0]?.id)
      throw new UntestableError(
        `${table.name} shows page ${first.page} again instead of page ${pageAfter(first, read - 1)}`,
        `if page numbers have another parameter, ${formHint('page number')}`,
      )
    totals.add(body.totalItems)
    for (const record of body.items) {
      if (!keep(record)) continue
      if (seen.has(record.id)) repeated.push(record.id)
      seen.add(record.id)
      found.set(record.id, record)
    }
    if (!hasMore(body, read, records)) return { repeated, totals }
    if (read === mostPages)
      throw new UntestableError(
        `${table.name} has more records than a check can read (${first.totalItems})`,
        `map the role "${table.role}" to a table with fewer records`,
      )
    const page = pageAfter(first, read)
    const response = await api.list(table, { page, perPage: sizes[taken.get(api) ?? 0] })
    // A page beyond the last one may be rejected.
    if (!response.ok && read >= body.totalPages) return { repeated, totals }
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
