import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expectOrder } from '../../shared/lists/expect-order.ts'
import { sortBy } from '../../shared/lists/shared-records.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { wholeTable } from './whole-table.ts'

/** Three that come first and three that come last, whatever other records the table has: each half of it has three. */
const RANKS = [9_002, -9_003, 9_003, -9_001, 9_001, -9_002]

/**
 * A whole table is ordered as well, on one page and on two. Records of other clients are not judged, and neither is a
 * server that rejects an order without a filter.
 */
export async function expectWholeOrdered(context: CheckContext): Promise<void> {
  const { makeMany, table, unique } = context
  const related = table('related')
  const made = await unlessPrevented(() =>
    makeMany(
      related,
      RANKS.map((rank) => ({ name: unique('whole'), rank })),
    ),
  )
  if (made === undefined) return
  const ranks = new Map(made.map(({ id }, at) => [id, RANKS[at]]))
  const ascending = RANKS.toSorted((left, right) => left - right)
  for (const direction of ['ascending', 'descending'] as const)
    for (const parts of [1, 2]) {
      const query = { sort: sortBy(context, related, 'rank', direction) }
      const pages = await wholeTable(context, related, query, parts)
      const found = pages?.flatMap(({ items }) => items.flatMap(({ id }) => ranks.get(id) ?? []))
      // That a list contains all records is another requirement.
      if (found === undefined || new Set(found).size !== RANKS.length || found.length > RANKS.length) continue
      const where = pages?.length === 1 ? 'one page' : `${pages?.length} pages`
      expectOrder(found, ascending, direction, `the ranks in the whole table on ${where}`)
    }
}
