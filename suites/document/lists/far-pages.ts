import { expectEqual } from '../../../harness/judging/expect.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonRecords, idsOf, sortBy } from '../../shared/lists/shared-records.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'
import { pageSize } from './page-size.ts'

/** Records on pages of two: the fifty-first page contains one. */
export const FAR = 101

/** The same `FAR` records on one page, and on two pages far from the first. */
interface FarPages {
  records: WireRecord[]
  long: ListBody
  /** By their number, counted from 1. */
  pages: { number: number; body: ListBody }[]
  /** A list of them in the order of the pages; undefined if it is rejected. */
  pageOf(query: Query): Promise<ListBody | undefined>
}

/**
 * Lists more than a hundred records. How far a list goes, and how long its pages are, is left open (8): what the server
 * rejects or shortens is left out.
 */
export async function farPages(context: CheckContext): Promise<FarPages | undefined> {
  const given = await pageSize(context, 2)
  if (given.size !== 2) return undefined
  const { table, records, filter, list } = await commonRecords(context, FAR)
  const hasOrder = !context.unknownForms.includes('order')
  const sort = hasOrder ? sortBy(context, table, 'id', 'ascending') : undefined
  const pageOf = async (query: Query) => {
    const response = await context.api.list(table, { filter, sort, ...query })
    return response.ok ? listOf(response) : undefined
  }
  const long = await pageOf({ perPage: 200 })
  if (long === undefined || (long.items.length < FAR && long.perPage < 200)) return undefined
  const found: FarPages = { records, long, pages: [], pageOf }
  const first = await list({ sort, perPage: given.requested })
  for (const number of [50, 51]) {
    const page = pageAfter(first, number - 1)
    const body = await pageOf({ perPage: given.requested, page })
    // It returns another page where it goes no further, and says so.
    const shown = body && idsOf(body.items).join()
    if (body === undefined || (body.page !== page && shown !== idsOf(onPage(long, number)).join())) break
    found.pages.push({ number, body: { ...body, page: body.page - pageAfter(first, 0) + 1 } })
  }
  return found
}

/** Of the records on the long page, those that the page with this number contains. */
function onPage({ items }: ListBody, number: number): WireRecord[] {
  return items.slice(2 * (number - 1), 2 * number)
}

/** More than a hundred records are on one page, and on the pages of two that are far from the first. */
export async function expectFarPages(context: CheckContext): Promise<void> {
  const found = await farPages(context)
  if (found === undefined) return
  const { long, pages, pageOf, records } = found
  expectEqual(idsOf(long.items).toSorted(), idsOf(records).sort(), `the ids on a page of ${FAR} records`)
  const names = new Set(long.items.map(({ collectionName }) => collectionName))
  expectEqual(names.size, 1, `the number of tables that the records on a page of ${FAR} records name`)
  for (const { number, body } of pages) {
    const what = `page ${number} of ${FAR} records, two on each`
    expectEqual(idsOf(body.items), idsOf(onPage(long, number)), `the ids on ${what}`)
  }
  await expectOtherSecond(pageOf)
}

/**
 * The second page differs from the first without a page size as well. Which size a server gives then is left open, and so
 * is whether it then has any other page: it may return the first again, and say so.
 */
async function expectOtherSecond(pageOf: FarPages['pageOf']): Promise<void> {
  const first = await pageOf({})
  if (first === undefined || first.perPage >= FAR) return
  const page = pageAfter(first, 1)
  const second = await pageOf({ page })
  if (second === undefined || second.page !== page || second.perPage !== first.perPage) return
  const known = new Set(idsOf(first.items))
  expectEqual(
    idsOf(second.items).filter((id) => known.has(id)),
    [],
    'the ids on both of the first two pages, without a page size',
  )
}
