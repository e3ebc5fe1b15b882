/** Sorted lists and expanded relations (document, sections 2.1, 4.1 and 4.3). */

import fc from 'fast-check'
import { check } from '../../harness/check.ts'
import { expectEqual, expectThat } from '../../harness/judging/expect.ts'
import { fieldOf, idsOf, pile, sortBy } from './pile.ts'

const ranks = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 9 })
const directions = ['ascending', 'descending'] as const

function inOrder(numbers: readonly number[], direction: 'ascending' | 'descending'): number[] {
  return numbers.toSorted((left, right) => (direction === 'ascending' ? left - right : right - left))
}

check('list.sort-orders', (context) =>
  context.property(
    [ranks],
    async (all) => {
      const { list, table } = await pile(
        context,
        all.map((rank) => ({ rank })),
        'related',
      )
      for (const direction of directions) {
        const { items } = await list({ sort: sortBy(context, table, 'rank', direction) })
        expectEqual(
          items.map((item) => item.rank),
          inOrder(all, direction),
          `the ranks in ${direction} order`,
        )
      }
    },
    { runs: 12 },
  ),
)

check('list.sort-keeps-set', (context) =>
  context.property(
    [ranks],
    async (all) => {
      const { list, table, records } = await pile(
        context,
        all.map((rank) => ({ rank })),
        'related',
      )
      const plain = await list()
      for (const direction of directions) {
        const sorted = await list({ sort: sortBy(context, table, 'rank', direction) })
        expectEqual(idsOf(sorted.items).sort(), idsOf(records).sort(), `the ids in ${direction} order`)
        expectEqual(
          [sorted.totalItems, sorted.totalPages],
          [plain.totalItems, plain.totalPages],
          `the totals in ${direction} order`,
        )
      }
    },
    { runs: 8 },
  ),
)

check('list.sort-across-pages', (context) =>
  context.property(
    [ranks, fc.integer({ min: 1, max: 4 }), fc.constantFrom(...directions)],
    async (all, perPage, direction) => {
      const { pages, table } = await pile(
        context,
        all.map((rank) => ({ rank })),
        'related',
      )
      const shown = await pages({ perPage, sort: sortBy(context, table, 'rank', direction) })
      const found = shown.flatMap(({ items }) => items.map((item) => item.rank))
      expectEqual(found, inOrder(all, direction), `the ranks in ${direction} order, on pages of ${perPage}`)
    },
    { runs: 10 },
  ),
)

/** Whether the record with this id and name lies anywhere inside a value. */
function holds(value: unknown, id: string, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const values = Object.values(value)
  return (
    ((value as { id?: unknown }).id === id && values.includes(name)) ||
    values.some((inner) => holds(inner, id, name))
  )
}

check('list.expand-relation', async (context) => {
  const related = context.table('related')
  const name = context.unique('parent')
  const parent = await context.make(related, { name })
  const { list } = await pile(context, [{ parent: parent.id }, {}], 'related')
  const { items } = await list({ expand: fieldOf(related, 'parent') })
  const [item] = items.filter((each) => each.parent === parent.id)
  expectThat(
    item !== undefined && items.length === 2,
    'the list does not hold the two records',
    'one of them with a parent',
    items,
  )
  expectThat(
    holds(item, parent.id, name),
    'the item does not bring along the record that it names',
    name,
    item,
  )
})

check('list.expand-keeps-record', async (context) => {
  const related = context.table('related')
  const parent = await context.make(related, { name: context.unique('parent') })
  const { list } = await pile(context, [{ parent: parent.id, rank: 1 }, { rank: 2 }], 'related')
  const plain = await list({ sort: sortBy(context, related, 'rank', 'ascending') })
  const expanded = await list({
    sort: sortBy(context, related, 'rank', 'ascending'),
    expand: fieldOf(related, 'parent'),
  })
  expectEqual(plain.items[0]?.parent, parent.id, 'the relation field without expansion')
  for (const [index, item] of plain.items.entries())
    for (const [key, value] of Object.entries(item))
      expectEqual(expanded.items[index]?.[key], value, `${key} of item ${index} with expansion`)
  expectEqual(idsOf(expanded.items), idsOf(plain.items), 'the ids with expansion')
})
