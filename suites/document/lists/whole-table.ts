import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { idsOf } from '../../shared/lists/shared-records.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'

/** Pages of a table that are read. A server may return shorter ones than are requested. */
const mostPages = 50
/** How often a list is read that is not as expected: another client may delete one record and create another. */
const attempts = 2

/**
 * All pages of a table without a filter, as few as `parts` if the server returns pages of that size. Undefined if another
 * client writes meanwhile, or if the server rejects a page: how far pages go is left open (8).
 */
export async function wholeTable(
  { api, unknownForms }: CheckContext,
  table: TableRef,
  query: Query,
  parts: number,
): Promise<ListBody[] | undefined> {
  return api.undisturbed(async () => {
    const usual = await api.list(table, query)
    if (!usual.ok) return undefined
    const { totalItems } = listOf(usual)
    const sized = { ...query, perPage: Math.max(2, Math.ceil(totalItems / parts)) }
    const response = await api.list(table, sized)
    const first = listOf(response.ok ? response : usual)
    const pages = [first]
    while (pages.length * first.perPage < totalItems) {
      if (pages.length === mostPages || unknownForms.includes('page number')) return undefined
      const page = pageAfter(first, pages.length)
      const next = await api.list(table, { ...(response.ok ? sized : query), page })
      if (!next.ok) return undefined
      const body = listOf(next)
      // It returns another page where it goes no further, and says so.
      if (body.page !== page || body.perPage !== first.perPage) return undefined
      pages.push(body)
    }
    return pages.every((body) => body.totalItems === totalItems) ? pages : undefined
  })
}

/**
 * The pages of a whole table are full but for the last one, and contain each record once.
 *
 * @param ids of records that it contains
 */
export async function expectWholeCovered(
  context: CheckContext,
  table: TableRef,
  query: Query,
  ids: readonly string[],
): Promise<void> {
  const order = query.sort === undefined ? '' : ` in the order ${query.sort}`
  for (let tried = 1; tried <= attempts; tried += 1) {
    const pages = await wholeTable(context, table, query, 2)
    if (pages === undefined) return
    const [{ perPage, totalItems } = { perPage: 0, totalItems: 0 }] = pages
    const shown = pages.flatMap(({ items }) => idsOf(items))
    const known = new Set(shown)
    const facts = {
      items: pages.map(({ items }) => items.length),
      repeated: shown.filter((id, at) => shown.indexOf(id) !== at),
      missing: ids.filter((id) => !known.has(id)),
    }
    const expected = {
      items: pages.map((_, at) => Math.min(perPage, totalItems - at * perPage)),
      repeated: [],
      missing: [],
    }
    const isAsExpected = JSON.stringify(facts) === JSON.stringify(expected)
    if (isAsExpected) return
    if (tried === attempts)
      expectEqual(facts, expected, `the records on all pages of the whole table${order}`)
  }
}
