import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonRecords, idsOf, sortBy } from '../../shared/lists/shared-records.ts'
import { walk } from '../../shared/lists/walk.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { pageSize } from '../lists/page-size.ts'
import { pagesFor } from '../lists/pages-for.ts'

/**
 * Lists by the identifier of a table, with a filter, in pages, and with an order, contain the same records as the lists
 * by its name. Judged only if the lists by name contain exactly the matching records.
 */
export async function expectListedById(context: CheckContext): Promise<void> {
  const given = await unlessPrevented(async () => {
    const { requested, size } = await pageSize(context, 1)
    return { requested, pile: await commonRecords(context, size + 2) }
  })
  if (given === undefined) return
  const { requested, pile } = given
  const byId = tableByIdIfShown(pile.table, pile.records[0] ?? {})
  if (byId === undefined) return
  const expected = idsOf(pile.records).sort()
  const list = async (query: Query) => listOf(await context.api.list(byId, { filter: pile.filter, ...query }))
  const hasOrder = !context.unknownForms.includes('order')
  const sort = sortBy(context, pile.table, 'created', 'descending')
  for (const query of [{ perPage: requested }, ...(hasOrder ? [{ sort }] : [])]) {
    if ((await pagesFor(context.api, pile, query)) === undefined) continue
    const pages = await walk(list, query, expected.length)
    const what = `with a filter and ${Object.keys(query).join()}, on all pages`
    expectEqual(
      idsOf(pages.flatMap(({ items }) => items)).sort(),
      expected,
      `the ids in a list by the identifier of the table ${what}`,
    )
  }
}
