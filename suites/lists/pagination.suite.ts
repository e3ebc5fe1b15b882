/** Walking through a list (document, sections 2.4 and 4.1): random records, page sizes, filters, orders and routes. */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual, expectThat } from '../../harness/judging/expect.ts'
import type { Query } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { type ListBody, listOf } from '../records/record-of.ts'
import { pageSize, recordsFor } from './page-size.ts'
import { alike, commonPile, equals, firstPage, idsOf, pile, sortBy } from './pile.ts'
import { pageAfter } from './walk.ts'

const counts = fc.integer({ min: 1, max: 10 })
const sizes = fc.integer({ min: 1, max: 5 })
const orders = fc.constantFrom('', 'ascending' as const, 'descending' as const)

/** What a page is about: a server may add to it, and to each item, what it likes, the time that it took for one. */
function heldBy({ totalItems, totalPages, items }: ListBody) {
  return { totalItems, totalPages, ids: idsOf(items) }
}

type Order = '' | 'ascending' | 'descending'

/** The `sort` by id that a random order stands for. None where ids are not sortable: which fields are is left open. */
async function sortOf(context: CheckContext, order: Order): Promise<Query> {
  if (order === '') return {}
  const plain = context.table('plain')
  const sort = sortBy(context, plain, 'id', order)
  const { ok } = await context.once(`${order} order of ids`, () => context.api.list(plain, { sort }))
  return ok ? { sort } : {}
}

/** Pages with numbers of two digits, where the smallest page holds one record. */
async function expectManyPages(context: CheckContext): Promise<void> {
  const { asked, size } = await pageSize(context, 1)
  if (size > 1) return
  const { pages, records } = await commonPile(context, 12)
  const shown = (await pages({ perPage: asked })).flatMap(({ items }) => idsOf(items))
  expectEqual(shown.toSorted(), idsOf(records).sort(), 'the ids on 12 pages put together')
}

check('list.pagination-covers', async (context) => {
  await expectManyPages(context)
  await context.property(
    [counts, sizes, orders],
    async (wanted, which, order) => {
      const given = await pageSize(context, which)
      const { pages, records } = await commonPile(context, recordsFor(given, wanted, which))
      const sort = await sortOf(context, order)
      const perPage = given.asked
      const shown = (await pages({ perPage, ...sort })).flatMap(({ items }) => idsOf(items))
      expectEqual(shown.toSorted(), idsOf(records).sort(), `the ids on all pages of ${perPage} put together`)
      // An order that nobody asked for may be another one for another page size. How many records a page holds that
      // nobody gave a size is left open.
      if (sort.sort !== undefined) {
        const { asked: other } = await pageSize(context, which + 1)
        expectEqual(
          shown,
          (await pages({ perPage: other, ...sort })).flatMap(({ items }) => idsOf(items)),
          `the ids in ${order} order, on pages of ${perPage} and of ${other}`,
        )
      }
    },
    { runs: 15 },
  )
})

check('list.pagination-stable', (context) =>
  context.property(
    [counts, sizes, orders, fc.array(fc.nat({ max: 9 }), { minLength: 2, maxLength: 8 })],
    async (wanted, which, order, route) => {
      const given = await pageSize(context, which)
      const count = recordsFor(given, wanted, which)
      // Pages of which no other check has asked for any.
      const { list, pages, table } = await pile(context, alike(count))
      const start = await firstPage(context, table)
      const query = { perPage: given.asked, ...(await sortOf(context, order)) }
      // Any page, in any order, any number of times, and the first page last: independent of which was asked for before.
      const early: [number, ListBody][] = []
      for (const step of route) {
        const at = step % Math.ceil(count / given.size)
        early.push([at, await list({ ...query, page: start + at })])
      }
      const all = await pages(query)
      for (const [at, body] of early) {
        const known = all[at]
        if (known !== undefined)
          expectEqual(heldBy(known), heldBy(body), `page ${start + at}, asked for again,`)
      }
    },
    { runs: 10 },
  ),
)

check('list.page-beyond-end', (context) =>
  context.property(
    [counts, sizes, fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1_000_000 }))],
    async (wanted, which, more) => {
      const given = await pageSize(context, which)
      const { list, mark } = await commonPile(context, recordsFor(given, wanted, which))
      const perPage = given.asked
      const first = await list({ perPage })
      const { totalPages, items } = first
      expectThat(items.length > 0, 'page 1 is empty', 'a record', items)
      expectThat(
        Number.isInteger(totalPages),
        'totalPages is no whole number',
        'a whole number',
        totalPages ?? null,
      )
      const plain = context.table('plain')
      const filter = equals(context, plain, 'title', mark)
      const page = pageAfter(first, totalPages - 1 + more)
      const reply = await context.api.list(plain, { filter, perPage, page })
      if (!reply.ok) return
      const shown = listOf(reply)
      if (shown.items.length === 0) return
      // A server may show another page instead, as long as it says which.
      const last = pageAfter(first, totalPages - 1)
      expectThat(
        shown.page >= first.page && shown.page <= last,
        `a page beyond the last one, ${last}, holds records`,
        `no records, or ${last} or less in page`,
        { page: shown.page, items: idsOf(shown.items) },
      )
      const own = shown.page === first.page ? first : await list({ perPage, page: shown.page })
      expectEqual(
        idsOf(shown.items),
        idsOf(own.items),
        `the ids that page ${page} of ${totalPages} gives as those of page ${shown.page},`,
      )
    },
    { runs: 10 },
  ),
)

check('list.without-condition', async (context) => {
  const given = await pageSize(context, 2)
  const { table, records } = await commonPile(context, recordsFor(given, 5, 2))
  const list = async (query: Query) => listOf(await context.api.list(table, query))
  const perPage = given.asked
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
})
