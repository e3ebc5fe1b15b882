/** Page, page size and totals of a list (document, sections 2.4 and 8), for random numbers of records. */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { BlockedError, expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { countOf } from '../../../spec/count-of.ts'
import { otherCallers } from '../../shared/auth/sessions.ts'
import {
  alike,
  commonRecords,
  idsOf,
  type SharedRecords,
  sharedRecords,
} from '../../shared/lists/shared-records.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'
import { expectHiddenUncounted } from './expect-hidden-uncounted.ts'
import { FAR, farPages } from './far-pages.ts'
import { largeExamples, MANY } from './large.ts'
import { type PageSize, pageSize, recordsFor } from './page-size.ts'
import { pagesFor } from './pages-for.ts'

/**
 * For random numbers of records, requested with page size `requested`.
 *
 * @param also what is expected in addition, of one list
 */
function paged(
  id: string,
  expectation: (
    pile: SharedRecords,
    count: number,
    requested: number,
    context: CheckContext,
  ) => Promise<void>,
  also?: (context: CheckContext) => Promise<void>,
): void {
  check(id, async (context) => {
    const examples = await largeExamples(context)
    await context.property(
      [fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })],
      async (wanted, perPage) => {
        const size = await pageSize(context, perPage)
        const count = recordsFor(size, wanted, perPage)
        await expectation(await commonRecords(context, count), count, size.requested, context)
      },
      { runs: 8, examples },
    )
    await also?.(context)
  })
}

/** One of the totals of a list of more than a hundred records, on one page and far from the first. */
async function expectFarTotals(
  context: CheckContext,
  key: 'totalItems' | 'totalPages',
  expected: { long: number; pages: number },
): Promise<void> {
  const found = await farPages(context)
  if (found === undefined) return
  expectEqual(found.long[key], expected.long, `${key} of ${FAR} records on one page`)
  for (const { number, body } of found.pages)
    expectEqual(body[key], expected.pages, `${key} of ${FAR} records, on page ${number} with two on each`)
}

/** The totals of lists of several pages for an account and for a superuser, where they show the same records. */
async function expectCountedForOthers(context: CheckContext): Promise<void> {
  const { requested, size } = await pageSize(context, 1)
  const pile = await commonRecords(context, size + 2)
  for (const { who, api } of await otherCallers(context)) {
    const shown = await pagesFor(api, pile, { perPage: requested })
    for (const { page, totalItems } of shown?.pages ?? [])
      expectEqual(totalItems, pile.records.length, `totalItems on page ${page} of a list of ${who}`)
  }
}

/** A page of ten, and the next with what remains of `MANY`. */
const wide: [number, number] = [10, MANY - 11]

/** Records that fill one page, with fewer on the next. */
async function pageAndRest(context: CheckContext, { size }: PageSize, some: number) {
  const rest = 1 + (some % Math.max(1, size - 1))
  return { ...(await commonRecords(context, size + rest)), rest }
}

/** The precondition of claims about every page: a page without records proves nothing. */
function expectShown(all: readonly ListBody[]): void {
  if (all.every(({ items }) => items.length === 0))
    throw new BlockedError('no page contains any of the records that were just created')
}

check('list.paginated', (context) =>
  context.property(
    [fc.integer({ min: 2, max: 5 }), fc.nat({ max: 3 })],
    async (which, some) => {
      // Two pages of different lengths, and none beyond them, since such a page may be rejected.
      const given = await pageSize(context, which)
      const { list, rest } = await pageAndRest(context, given, some)
      const start = await list({ perPage: given.requested })
      const seen = new Set<string>()
      // The expected size is the one that the response reports: which sizes a server gives is left open.
      for (const [at, length] of [start.perPage, given.size + rest - start.perPage].entries()) {
        const page = pageAfter(start, at)
        const { items } = await list({ page, perPage: given.requested })
        const what = `page ${page} of ${given.size + rest} records at ${start.perPage} per page`
        expectEqual(items.length, length, `the number of items on ${what}`)
        const twice = idsOf(items).find((id) => seen.has(id))
        expectThat(twice === undefined, `${what} repeats a record`, 'no record of the page before', twice)
        for (const id of idsOf(items)) seen.add(id)
      }
    },
    { runs: 8, examples: [wide] },
  ),
)

paged(
  'list.page',
  async ({ list, pages }, _count, requested) => {
    const all = await pages({ perPage: requested })
    const start = all[0]?.page ?? 1
    expectEqual(
      all.map(({ page }) => page),
      all.map((_, index) => start + index),
      'page on every page',
    )
    expectEqual(
      (await list({ perPage: requested, page: start })).page,
      start,
      'page of the first page, requested by number',
    )
    expectShown(all)
  },
  async (context) => {
    const found = await farPages(context)
    for (const { number, body } of found?.pages ?? [])
      expectEqual(body.page, number, `the number of page ${number} of ${FAR} records, two on each`)
    await expectEmptyPageNumbered(context)
  },
)

/** A page beyond the last one may be rejected or be another page. If it is empty, its number is not that of a page with records. */
async function expectEmptyPageNumbered(context: CheckContext): Promise<void> {
  const { requested, size } = await pageSize(context, 2)
  const { filter, list, table } = await commonRecords(context, size + 1)
  const first = await list({ perPage: requested })
  const last = pageAfter(first, 1)
  const response = await context.api.list(table, {
    filter,
    perPage: requested,
    page: pageAfter(first, 3),
  })
  if (!response.ok) return
  const { page, items, totalItems } = listOf(response)
  if (items.length > 0 || totalItems !== first.totalItems) return
  expectThat(
    !Number.isInteger(page) || page < first.page || page > last,
    `an empty page beyond the last one, ${last}, has the number of a page with records`,
    `not a number from ${first.page} to ${last}`,
    page,
  )
}

check('list.per-page', (context) =>
  context.property(
    [fc.integer({ min: 2, max: 5 }), fc.nat({ max: 3 })],
    async (which, some) => {
      const given = await pageSize(context, which)
      const { list, pages, records } = await pageAndRest(context, given, some)
      const count = records.length
      const [first, ...others] = await pages({ perPage: given.requested })
      for (const body of [first, await list()])
        expectEqual(
          body?.items.length,
          Math.min(count, body?.perPage ?? 0),
          `the number of items of ${countOf(count, 'record')}, with perPage ${body?.perPage}`,
        )
      // The last page is cut to the same size, though it holds fewer.
      for (const { page, perPage } of others) expectEqual(perPage, first?.perPage, `perPage on page ${page}`)
    },
    { runs: 8, examples: [wide] },
  ),
)

paged('list.at-most-per-page', async ({ pages, table }, _count, requested, { api }) => {
  const whole = listOf(await api.list(table, { perPage: requested }))
  const shown = await pages({ perPage: requested })
  for (const { items, perPage: size } of [...shown, whole]) {
    expectThat(
      items.length <= size,
      `a page contains more than its ${size} records`,
      `at most ${size}`,
      items.length,
    )
  }
  expectShown(shown)
})

paged('list.full-pages', async ({ pages }, count, requested) => {
  const shown = await pages({ perPage: requested })
  const sizes = shown.map(({ items }) => items.length)
  const perPage = Math.max(1, shown[0]?.perPage ?? requested)
  const last = count % perPage || perPage
  const expected = Array.from({ length: Math.ceil(count / perPage) }, (_, index) =>
    (index + 1) * perPage <= count ? perPage : last,
  )
  expectEqual(sizes, expected, `the sizes of the pages of ${countOf(count, 'record')} at ${perPage} per page`)
})

paged(
  'list.total-items',
  async ({ list, pages }, count, requested) => {
    for (const { page, totalItems } of await pages({ perPage: requested }))
      expectEqual(totalItems, count, `totalItems on page ${page}`)
    expectEqual((await list()).totalItems, count, 'totalItems without pagination')
  },
  async (context) => {
    await expectFarTotals(context, 'totalItems', { long: FAR, pages: FAR })
    await expectHiddenUncounted(context)
    await expectCountedForOthers(context)
  },
)

paged(
  'list.total-pages',
  async ({ pages }, count, requested) => {
    for (const { page, perPage, totalPages } of await pages({ perPage: requested }))
      expectEqual(
        totalPages,
        Math.ceil(count / perPage),
        `totalPages of ${countOf(count, 'record')} at ${perPage} per page, on page ${page}`,
      )
  },
  (context) => expectFarTotals(context, 'totalPages', { long: 1, pages: 51 }),
)

paged('list.totals-agree', async ({ pages }, _count, requested) => {
  const [first, ...others] = await pages({ perPage: requested })
  for (const { page, totalItems, totalPages } of others)
    expectEqual(
      [totalItems, totalPages],
      [first?.totalItems, first?.totalPages],
      `the totals on page ${page}, compared with those on page 1,`,
    )
})

check('list.total-follows-writes', async (context) => {
  const { another, list, table, records } = await sharedRecords(context, alike(2))
  expectEqual((await list()).totalItems, 2, 'totalItems before')
  const added = await context.make(table, another())
  expectEqual((await list()).totalItems, 3, 'totalItems after a create')
  await context.api.delete(table, added.id)
  expectEqual((await list()).totalItems, 2, 'totalItems after a delete')
  await context.api.delete(table, records[0]?.id ?? '')
  expectEqual((await list()).totalItems, 1, 'totalItems after a second delete')
})
