/** Walking through a list (document, sections 2.4 and 4.1): random records, page sizes, filters, orders and routes. */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual, expectThat, isRefused } from '../../harness/judging/expect.ts'
import type { Query } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { type ListBody, listOf } from '../records/record-of.ts'
import { alike, commonPile, equals, firstPage, idsOf, pile, sortBy } from './pile.ts'
import { pageAfter } from './walk.ts'

const counts = fc.integer({ min: 1, max: 10 })
const sizes = fc.integer({ min: 1, max: 5 })
const orders = fc.constantFrom('', 'ascending' as const, 'descending' as const)

/** What a page is about: a server may add to it what it likes, the time that it took for one. */
function heldBy({ totalItems, totalPages, items }: ListBody) {
  return { totalItems, totalPages, items }
}

/** The `sort` that a random order stands for: none, or by creation, newest or oldest first. */
function sortOf(context: CheckContext, order: '' | 'ascending' | 'descending'): Query {
  return order === '' ? {} : { sort: sortBy(context, context.table('plain'), 'id', order) }
}

check('list.pagination-covers', (context) =>
  context.property(
    [counts, sizes, orders],
    async (count, perPage, order) => {
      const { pages, records } = await commonPile(context, count)
      const sort = sortOf(context, order)
      const shown = (await pages({ perPage, ...sort })).flatMap(({ items }) => idsOf(items))
      expectEqual(shown.toSorted(), idsOf(records).sort(), `the ids on all pages of ${perPage} put together`)
      // An order that nobody asked for may be another one for another page size. How many records a page holds that
      // nobody gave a size is left open.
      if (order !== '') {
        const other = perPage + 1
        expectEqual(
          shown,
          (await pages({ perPage: other, ...sort })).flatMap(({ items }) => idsOf(items)),
          `the ids in ${order} order, on pages of ${perPage} and of ${other}`,
        )
      }
    },
    { runs: 15 },
  ),
)

check('list.pagination-stable', (context) =>
  context.property(
    [counts, sizes, orders, fc.array(fc.nat({ max: 9 }), { minLength: 2, maxLength: 8 })],
    async (count, perPage, order, route) => {
      // Pages of which no other check has asked for any.
      const { list, pages, table } = await pile(context, alike(count))
      const start = await firstPage(context, table)
      const query = { perPage, ...sortOf(context, order) }
      // Any page, in any order, any number of times, and the first page last: independent of which was asked for before.
      const early: [number, ListBody][] = []
      for (const step of route) {
        const at = step % Math.ceil(count / perPage)
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
    async (count, perPage, more) => {
      const { list, mark } = await commonPile(context, count)
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
      if (isRefused(reply)) return
      expectEqual(listOf(reply).items, [], `the items of page ${page}, of ${totalPages},`)
    },
    { runs: 10 },
  ),
)

check('list.without-condition', async (context) => {
  const { table, records } = await commonPile(context, 5)
  const list = async (query: Query) => listOf(await context.api.list(table, query))
  const first = await list({ perPage: 2 })
  const pages = [first]
  // Of a size that the server made larger one page may be all.
  if (first.totalPages > 1) pages.push(await list({ perPage: 2, page: pageAfter(first, 1) }))
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
