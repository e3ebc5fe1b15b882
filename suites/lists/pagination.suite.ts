/** Walking through a list (document, sections 2.4 and 4.1): random records, page sizes, filters, orders and routes. */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual, expectThat } from '../../harness/judging/expect.ts'
import type { Query } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import { type ListBody, listOf } from '../records/record-of.ts'
import { alike, equals, idsOf, pile, sortBy } from './pile.ts'

const counts = fc.integer({ min: 1, max: 10 })
const sizes = fc.integer({ min: 1, max: 5 })
const orders = fc.constantFrom('', 'ascending' as const, 'descending' as const)

/** The `sort` that a random order stands for: none, or by creation, newest or oldest first. */
function sortOf(context: CheckContext, order: '' | 'ascending' | 'descending'): Query {
  return order === '' ? {} : { sort: sortBy(context, context.table('plain'), 'id', order) }
}

check('list.pagination-covers', (context) =>
  context.property(
    [counts, sizes, orders],
    async (count, perPage, order) => {
      const { pages, records } = await pile(context, alike(count))
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
      const { list, pages } = await pile(context, alike(count))
      const query = { perPage, ...sortOf(context, order) }
      // Any page, in any order, any number of times, and the first page last: independent of which was asked for before.
      const early: [number, ListBody][] = []
      for (const step of route) {
        const page = (step % Math.ceil(count / perPage)) + 1
        early.push([page, await list({ ...query, page })])
      }
      const all = await pages(query)
      for (const [page, body] of early) {
        const known = all[page - 1]
        if (known !== undefined) expectEqual(known, body, `page ${page}, asked for again,`)
      }
    },
    { runs: 10 },
  ),
)

check('list.page-beyond-end', (context) =>
  context.property(
    [counts, sizes, fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1_000_000 }))],
    async (count, perPage, more) => {
      const { list, mark } = await pile(context, alike(count))
      const { totalPages, items } = await list({ perPage })
      expectThat(items.length > 0, 'page 1 is empty', 'a record', items)
      expectThat(
        Number.isInteger(totalPages),
        'totalPages is no whole number',
        'a whole number',
        totalPages ?? null,
      )
      const plain = context.table('plain')
      const filter = equals(context, plain, 'title', mark)
      const reply = await context.api.list(plain, { filter, perPage, page: totalPages + more })
      if (reply.status >= 400 && reply.status < 500) return
      expectEqual(listOf(reply).items, [], `the items of page ${totalPages + more}, of ${totalPages},`)
    },
    { runs: 10 },
  ),
)
