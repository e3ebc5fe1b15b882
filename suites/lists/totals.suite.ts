/** Page, page size and totals of a list (document, sections 2.4 and 8), for random numbers of records. */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { BlockedError, expectEqual, expectThat } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { type ListBody, listOf } from '../records/record-of.ts'
import { alike, commonPile, type Pile, pile } from './pile.ts'
import { pageAfter } from './walk.ts'

/** For random piles of `count` records in pages of `perPage`. */
function paged(
  id: string,
  expectation: (pile: Pile, count: number, perPage: number, context: CheckContext) => Promise<void>,
): void {
  check(id, (context) =>
    context.property(
      [fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })],
      async (count, perPage) => expectation(await commonPile(context, count), count, perPage, context),
      { runs: 8 },
    ),
  )
}

/** The positive control of claims about every page: one that shows no record says nothing. */
function expectShown(all: readonly ListBody[]): void {
  if (all.every(({ items }) => items.length === 0))
    throw new BlockedError('no page shows any of the records that were just created')
}

check('list.paginated', (context) =>
  context.property(
    [fc.integer({ min: 2, max: 5 }), fc.nat({ max: 3 })],
    async (perPage, some) => {
      // Two pages of different lengths, and none beyond them, which may be refused.
      const more = 1 + (some % (perPage - 1))
      const { list } = await commonPile(context, perPage + more)
      const start = await list({ perPage })
      for (const [at, length] of [perPage, more].entries()) {
        const page = pageAfter(start, at)
        const { items } = await list({ page, perPage })
        expectEqual(
          items.length,
          length,
          `the number of items on page ${page} of ${perPage + more} records by ${perPage}`,
        )
      }
    },
    { runs: 8 },
  ),
)

paged('list.page', async ({ list, pages }, _count, perPage) => {
  const all = await pages({ perPage })
  const start = all[0]?.page ?? 1
  expectEqual(
    all.map(({ page }) => page),
    all.map((_, index) => start + index),
    'page on every page',
  )
  expectEqual(
    (await list({ perPage, page: start })).page,
    start,
    'page of the first page, asked for by number',
  )
  expectShown(all)
})

paged('list.per-page', async ({ list }, count, perPage) => {
  const body = await list({ perPage })
  expectEqual(
    body.items.length,
    Math.min(count, body.perPage),
    `the number of items of ${count} records, with perPage ${body.perPage}`,
  )
  expectEqual(body.perPage, perPage, 'perPage')
  const usual = await list()
  expectEqual(
    usual.items.length,
    Math.min(count, usual.perPage),
    `the number of items of ${count} records, with the usual perPage ${usual.perPage}`,
  )
})

paged('list.at-most-per-page', async ({ pages, table }, _count, perPage, { api }) => {
  const whole = listOf(await api.list(table, { perPage }))
  const shown = await pages({ perPage })
  for (const { items, perPage: size } of [...shown, whole]) {
    expectThat(
      items.length <= size,
      `a page holds more than its ${size} records`,
      `at most ${size}`,
      items.length,
    )
    expectThat(
      items.length <= perPage,
      `a page holds more than the ${perPage} records asked for`,
      `at most ${perPage}`,
      items.length,
    )
  }
  expectShown(shown)
})

paged('list.full-pages', async ({ pages }, count, perPage) => {
  const sizes = (await pages({ perPage })).map(({ items }) => items.length)
  const last = count % perPage || perPage
  const expected = Array.from({ length: Math.ceil(count / perPage) }, (_, index) =>
    (index + 1) * perPage <= count ? perPage : last,
  )
  expectEqual(sizes, expected, `the sizes of the pages of ${count} records by ${perPage}`)
})

paged('list.total-items', async ({ list, pages }, count, perPage) => {
  for (const { page, totalItems } of await pages({ perPage }))
    expectEqual(totalItems, count, `totalItems on page ${page}`)
  expectEqual((await list()).totalItems, count, 'totalItems without paging')
})

paged('list.total-pages', async ({ pages }, count, perPage) => {
  for (const { page, totalPages } of await pages({ perPage }))
    expectEqual(
      totalPages,
      Math.ceil(count / perPage),
      `totalPages of ${count} records by ${perPage}, on page ${page}`,
    )
})

paged('list.totals-agree', async ({ pages }, _count, perPage) => {
  const [first, ...others] = await pages({ perPage })
  for (const { page, totalItems, totalPages } of others)
    expectEqual(
      [totalItems, totalPages],
      [first?.totalItems, first?.totalPages],
      `the totals on page ${page}, beside those on page 1,`,
    )
  expectEqual(others.length + 1, first?.totalPages, 'the number of pages')
})

check('list.total-follows-writes', async (context) => {
  const { list, table, mark, records } = await pile(context, alike(2))
  expectEqual((await list({ perPage: 1 })).totalItems, 2, 'totalItems before')
  const added = await context.make(table, {
    ...Object.fromEntries(Object.entries(records[0] ?? {}).filter(([, value]) => value === mark)),
  })
  expectEqual((await list({ perPage: 1 })).totalItems, 3, 'totalItems after a create')
  await context.api.delete(table, added.id)
  expectEqual((await list({ perPage: 1 })).totalItems, 2, 'totalItems after a delete')
  await context.api.delete(table, records[0]?.id ?? '')
  expectEqual((await list({ perPage: 1 })).totalItems, 1, 'totalItems after a second delete')
})
