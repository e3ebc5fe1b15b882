import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonRecords, firstPage } from '../../shared/lists/shared-records.ts'
import { pageSize, recordsFor } from './page-size.ts'

/** Enough for a tenth page where pages hold one record, and for a page of ten with some on the next. */
export const MANY = 13

/**
 * Examples with numbers of two digits, as `[records, page size]`: many pages, and a page of many records.
 *
 * How far a list can be paged is left open (8): without pages beyond the tenth there is no example of many pages.
 */
export async function largeExamples(context: CheckContext): Promise<[number, number][]> {
  const deep = await context.once('a page beyond the tenth', async () => {
    const given = await pageSize(context, 1)
    if (given.size > 1) return false
    const { table } = await commonRecords(context, recordsFor(given, MANY, 1))
    const page = (await firstPage(context, table)) + 10
    return (await context.api.list(table, { perPage: given.requested, page })).ok
  })
  const wide: [number, number] = [MANY, 10]
  return deep ? [[MANY, 1], wide] : [wide]
}
