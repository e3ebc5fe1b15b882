import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { ListBody } from '../records/record-of.ts'

/** The number of the page that comes `more` pages after this one. From which number on pages count is left open. */
export function pageAfter({ page }: ListBody, more: number): number {
  return (Number.isInteger(page) ? page : 1) + more
}

/**
 * The pages of a list, from the one that is shown if none is requested, until they contain `count` of the records that
 * are counted, or one contains nothing new.
 *
 * Not as many as `totalPages` says: with one wrong total, every check that reads a list would fail. And none beyond the
 * last record, since such a page may be rejected.
 *
 * @param counts whether a record is one of those. @default each is
 */
export async function walk(
  list: (query: Query) => Promise<ListBody>,
  query: Query,
  count: number,
  counts: (record: WireRecord) => boolean = () => true,
): Promise<ListBody[]> {
  const first = await list(query)
  const pages: ListBody[] = []
  const seen = new Set<string>()
  let missing = count
  for (let page = first; ; page = await list({ ...query, page: pageAfter(first, pages.length) })) {
    pages.push(page)
    const isNew = page.items.some(({ id }) => !seen.has(id))
    for (const { id } of page.items) seen.add(id)
    missing -= page.items.filter(counts).length
    if (missing <= 0 || !isNew) return pages
  }
}
