import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonRecords, equals, idsOf, sortBy } from '../../shared/lists/shared-records.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { pageSize } from './page-size.ts'

/** Records on pages of two: the fifty-first page contains one. */
const FAR = 101

/**
 * More than a hundred records on one page, and the same records from the fiftieth page on.
 *
 * How far a list goes, and how long its pages are, is left open (8): what the server rejects or shortens is not compared.
 */
export async function expectFarPages(context: CheckContext): Promise<void> {
  const given = await pageSize(context, 2)
  if (given.size !== 2) return
  const { table, records, mark, list } = await commonRecords(context, FAR)
  const sort = sortBy(context, table, 'id', 'ascending')
  const filter = equals(context, table, 'title', mark)
  const pageOf = async (query: Query) => {
    const response = await context.api.list(table, { filter, sort, ...query })
    return response.ok ? listOf(response) : undefined
  }
  const long = await pageOf({ perPage: 200 })
  if (long === undefined || (long.items.length < FAR && long.perPage < 200)) return
  expectEqual(idsOf(long.items).toSorted(), idsOf(records).sort(), `the ids on a page of ${FAR} records`)
  expectEqual([long.totalItems, long.totalPages], [FAR, 1], `the totals of ${FAR} records on one page`)
  const names = new Set(long.items.map(({ collectionName }) => collectionName))
  expectEqual(names.size, 1, `the number of tables that the records on a page of ${FAR} records name`)

  const first = await list({ sort, perPage: given.asked })
  for (const [number, from] of [
    [50, 98],
    [51, 100],
  ] as const) {
    const page = pageAfter(first, number - 1)
    const far = await pageOf({ perPage: given.asked, page })
    if (far === undefined) return
    const what = `page ${number} of ${FAR} records, two on each`
    const expected = idsOf(long.items.slice(from, from + 2))
    // It returns another page where it goes no further, and says so.
    if (far.page !== page && idsOf(far.items).join() !== expected.join()) return
    expectEqual(idsOf(far.items), expected, `the ids on ${what}`)
    expectEqual(far.page, page, `the number of ${what}`)
    expectEqual([far.totalItems, far.totalPages], [FAR, 51], `the totals on ${what}`)
  }
}
