/** Walking through a list (document, sections 2.4 and 4.1): random records, page sizes, filters, orders and routes. */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Body, Query } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import {
  alike,
  commonRecords,
  firstPage,
  idsOf,
  sharedRecords,
  sortBy,
} from '../../shared/lists/shared-records.ts'
import { takesNegativeRanks } from '../../shared/lists/taken-ranks.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { expectLockedCovered } from './expect-locked-covered.ts'
import { expectFarPages } from './far-pages.ts'
import { largeExamples } from './large.ts'
import { rejectionOfOrder } from './not-sortable.ts'
import { pageSize, recordsFor } from './page-size.ts'
import { expectWholeCovered } from './whole-table.ts'

type Order = '' | 'ascending' | 'descending'

const counts = fc.integer({ min: 1, max: 10 })
const sizes = fc.integer({ min: 1, max: 5 })
const orders = fc.constantFrom<Order>('', 'ascending', 'descending')

/** The documented content of a page. A server may add other keys to it and to its items, such as a processing time. */
function heldBy({ totalItems, totalPages, items }: ListBody) {
  return { totalItems, totalPages, ids: idsOf(items) }
}

/**
 * The `sort` by id for a random order. None if the form of an order is not known, or if ids are not sortable: which fields
 * are sortable is left open.
 */
async function sortOf(context: CheckContext, table: TableRef, order: Order): Promise<Query> {
  if (order === '' || context.unknownForms.includes('order')) return {}
  const sort = sortBy(context, table, 'id', order)
  const { ok } = await context.once(`${order} order of ids`, () => context.api.list(table, { sort }))
  return ok ? { sort } : {}
}

/** Each record occurs once, even if the order does not distinguish some of them, or any. */
async function expectTiesCovered(context: CheckContext): Promise<void> {
  const { hasTable, unknownForms } = context
  if (unknownForms.includes('order')) return
  const given = await pageSize(context, 2)
  const { requested: perPage } = given
  const count = recordsFor(given, 7, 2)
  const ranked = hasTable('related')
  const pile = ranked
    ? await sharedRecords(context, ranksOf(count), context.table('related'))
    : await commonRecords(context, count)
  const { pages, records, table } = pile
  const field = ranked ? 'rank' : textFieldOf(table.role)
  if ((await rejectionOfOrder(context, pile, field)) !== undefined) return
  const sort = sortBy(context, table, field, 'ascending')
  const shown = (await pages({ perPage, sort })).flatMap(({ items }) => idsOf(items))
  expectEqual(shown.sort(), idsOf(records).sort(), 'the ids on all pages in an order with ties')
}

/** Two ranks by turns. */
function ranksOf(count: number): Body[] {
  return Array.from({ length: count }, (_, at) => ({ rank: 1 + (at % 2) }))
}

/** Rounds of writes by others while a list is read page by page. */
const ROUNDS = 2

/**
 * Records that exist all the time are on one of the pages of a total order, while others create records before them, move
 * some to the front and delete some behind them. No other record is on any page. A delete before the page that is read
 * may hide a record from a client that counts pages; the document allows this.
 */
async function expectSeenWhileWritten(context: CheckContext): Promise<void> {
  const { api } = context
  const { requested: perPage, size } = await pageSize(context, 2)
  const staying = recordsFor({ requested: perPage, size }, 7, 2)
  const front = (await takesNegativeRanks(context)) ? 0 : 2 * ROUNDS + 1
  const ranks = Array.from({ length: staying + 2 * ROUNDS }, (_, at) => front + at)
  const pile = await sharedRecords(
    context,
    ranks.map((rank) => ({ rank })),
    context.table('related'),
  )
  const { another, list, records, table } = pile
  if ((await rejectionOfOrder(context, pile, 'rank')) !== undefined) return
  const sort = sortBy(context, table, 'rank', 'ascending')
  const first = await list({ perPage, sort })
  // That it is sorted at all is another requirement.
  if (first.items.some(({ rank }, at) => Number(rank) !== front + at)) return
  const known = idsOf(records)
  const [moving, leaving] = [known.slice(staying, staying + ROUNDS), known.slice(staying + ROUNDS)]
  const seen = new Set(idsOf(first.items))
  let gone = 0
  for (let more = 1; more < Math.ceil((known.length - gone) / size); more += 1) {
    const page = list({ perPage, sort, page: pageAfter(first, more) })
    // Whether others may write, and when their writes show, makes no difference to the records that stay.
    const [moved, left] = [moving[more - 1], leaving[more - 1]]
    const made = more > ROUNDS ? undefined : context.make(table, another({ rank: front - more }))
    const writes = [
      moved === undefined ? undefined : api.update(table, moved, { rank: front - ROUNDS - more }),
      left === undefined ? undefined : api.delete(table, left),
    ]
    const [body, created, , deleted] = await Promise.all([page, made, ...writes])
    if (created !== undefined) known.push(created.id)
    if (deleted?.ok === true) gone += 1
    for (const id of idsOf(body.items)) seen.add(id)
  }
  const missed = known.slice(0, staying).filter((id) => !seen.has(id))
  expectEqual(missed, [], 'the ids missing from all pages while others wrote records around them')
  const alien = [...seen].filter((id) => !known.includes(id))
  expectEqual(alien, [], 'the ids of records that the filter does not match')
}

/** The whole table, in both orders by id. */
async function expectWholeCoveredInOrder(context: CheckContext): Promise<void> {
  const { table, records } = await commonRecords(context, recordsFor(await pageSize(context, 2), 5, 2))
  for (const order of ['ascending', 'descending'] as const) {
    const sort = await sortOf(context, table, order)
    if (sort.sort !== undefined) await expectWholeCovered(context, table, sort, idsOf(records))
  }
}

check('list.pagination-covers', async (context) => {
  const examples = (await largeExamples(context)).map(([count, which]): [number, number, Order] => [
    count,
    which,
    'ascending',
  ])
  await context.property(
    [counts, sizes, orders],
    async (wanted, which, order) => {
      const given = await pageSize(context, which)
      const { pages, records, table } = await commonRecords(context, recordsFor(given, wanted, which))
      const sort = await sortOf(context, table, order)
      const perPage = given.requested
      const shown = (await pages({ perPage, ...sort })).flatMap(({ items }) => idsOf(items))
      expectEqual(shown.toSorted(), idsOf(records).sort(), `the ids on all pages of ${perPage} together`)
      // Without `sort`, the order may differ from one page size to another. The size of a page is left open if the
      // request gives none.
      if (sort.sort !== undefined) {
        const { requested: other } = await pageSize(context, which + 1)
        expectEqual(
          shown,
          (await pages({ perPage: other, ...sort })).flatMap(({ items }) => idsOf(items)),
          `the ids in ${order} order, on pages of ${perPage} and of ${other}`,
        )
      }
    },
    { runs: 15, examples },
  )
  await expectFarPages(context)
  await expectWholeCoveredInOrder(context)
  await expectLockedCovered(context)
  await expectTiesCovered(context)
  if (context.hasTable('related') && !context.unknownForms.includes('order'))
    await expectSeenWhileWritten(context)
})

check('list.pagination-stable', (context) =>
  context.property(
    [counts, sizes, orders, fc.array(fc.nat({ max: 9 }), { minLength: 2, maxLength: 8 })],
    async (wanted, which, order, route) => {
      const given = await pageSize(context, which)
      const count = recordsFor(given, wanted, which)
      // Records whose pages no other check has requested.
      const { list, pages, table } = await sharedRecords(context, alike(count))
      const start = await firstPage(context, table)
      const query = { perPage: given.requested, ...(await sortOf(context, table, order)) }
      // Any page, in any order, any number of times, and the first page last: independent of which was requested before.
      const early: [number, ListBody][] = []
      for (const step of route) {
        const at = step % Math.ceil(count / given.size)
        early.push([at, await list({ ...query, page: start + at })])
      }
      const all = await pages(query)
      for (const [at, body] of early) {
        const known = all[at]
        if (known !== undefined)
          expectEqual(heldBy(known), heldBy(body), `page ${start + at}, requested again,`)
      }
      const together = await Promise.all(all.map((_, at) => list({ ...query, page: start + at })))
      for (const [at, body] of together.entries())
        expectEqual(
          heldBy(body),
          all[at] && heldBy(all[at]),
          `page ${start + at}, requested with the others,`,
        )
    },
    { runs: 7 },
  ),
)

check('list.page-beyond-end', (context) =>
  context.property(
    [counts, sizes, fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1_000_000 }))],
    async (wanted, which, more) => {
      const given = await pageSize(context, which)
      const { filter, list, records, table } = await commonRecords(context, recordsFor(given, wanted, which))
      const perPage = given.requested
      const first = await list({ perPage })
      const { items } = first
      expectThat(items.length > 0, 'page 1 is empty', 'a record', items)
      const totalPages = Math.ceil(records.length / given.size)
      const page = pageAfter(first, totalPages - 1 + more)
      const response = await context.api.list(table, { filter, perPage, page })
      if (!response.ok) return
      const shown = listOf(response)
      if (shown.items.length === 0) return
      // A server may show another page instead, as long as it says which.
      const last = pageAfter(first, totalPages - 1)
      expectThat(
        Number.isInteger(shown.page) && shown.page >= first.page && shown.page <= last,
        `a page beyond the last one, ${last}, contains records`,
        `no records, or ${last} or less in page`,
        { page: shown.page, items: idsOf(shown.items) },
      )
      const own = shown.page === first.page ? first : await list({ perPage, page: shown.page })
      expectEqual(
        idsOf(shown.items),
        idsOf(own.items),
        `the ids that page ${page} of ${totalPages} returns as those of page ${shown.page},`,
      )
    },
    // Their offset exceeds 31 bits, or comes to a small one in 32.
    {
      runs: 10,
      examples: [
        [3, 2, 2 ** 31 - 9],
        [3, 2, 2 ** 31],
      ],
    },
  ),
)

check('list.without-condition', async (context) => {
  const given = await pageSize(context, 2)
  const { table, records } = await commonRecords(context, recordsFor(given, 5, 2))
  const list = async (query: Query) => listOf(await context.api.list(table, query))
  const perPage = given.requested
  const first = await list({ perPage })
  const pages = [first]
  if (first.totalPages > 1) pages.push(await list({ perPage, page: pageAfter(first, 1) }))
  for (const [which, { perPage, totalItems, totalPages, items }] of pages.entries()) {
    const what = `of page ${which + 1} of the whole table`
    expectThat(
      totalItems >= records.length,
      `totalItems ${what} does not count all its records`,
      `at least ${records.length}`,
      totalItems,
    )
    expectEqual(totalPages, Math.ceil(totalItems / perPage), `totalPages ${what}`)
    const left = Math.max(0, totalItems - which * perPage)
    expectEqual(items.length, Math.min(perPage, left), `the number of items ${what}`)
  }
  const second = pages[1]
  // While others write, a record can move on to the next page.
  if (second === undefined || first.totalItems !== second.totalItems) return
  const known = new Set(idsOf(first.items))
  expectEqual(
    idsOf(second.items).filter((id) => known.has(id)),
    [],
    'the ids on both of the first two pages',
  )
  await expectWholeCovered(context, table, {}, idsOf(records))
})
