/**
 * Orders of a target that has one known text field and no table with the role `related`: the lists of the whole table are
 * read, and the records of other clients are not judged.
 *
 * @module
 */

import { expectEqual, UntestableError } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expectForm } from '../../../harness/wire/expect-form.ts'
import { type Direction, expectOrder } from '../../shared/lists/expect-order.ts'
import { idsOf, sortBy } from '../../shared/lists/shared-records.ts'
import type { ListBody } from '../../shared/records/record-of.ts'
import { withEmptyTitle } from './expect-empty-kept.ts'
import { expectSortable, notSortable } from './not-sortable.ts'
import { wholeTable } from './whole-table.ts'

/** Three at each end of the alphabet, whatever other records the table has: each half of it has three. */
const ends = ['zone', 'abbey', 'zebra', 'acorn', 'zinc', 'alarm']
const directions: readonly Direction[] = ['ascending', 'descending']

/** Records of `plain` with these words: by id, and in the order of the alphabet. */
async function pileOf({ makeMany, table, unique }: CheckContext) {
  const titles = ends.map((word) => unique(word))
  const made = await makeMany(
    table('plain'),
    titles.map((title) => ({ title })),
  )
  return { words: new Map(made.map(({ id }, at) => [id, ends[at]])), alphabetical: ends.toSorted() }
}

const itemsOf = (pages: readonly ListBody[]): WireRecord[] => pages.flatMap(({ items }) => items)

/** That another order changes neither the records of the table nor its totals. One record has an empty value, if it may. */
export async function expectWholeKept(context: CheckContext): Promise<void> {
  expectForm(context, 'order')
  await pileOf(context)
  await withEmptyTitle(context, () => expectSameKept(context))
}

async function expectSameKept(context: CheckContext): Promise<void> {
  const plain = context.table('plain')
  const whole = (sort?: string) => wholeTable(context, plain, { sort }, 1)
  const factsOf = (pages: readonly ListBody[]) => ({
    ids: idsOf(itemsOf(pages)).sort(),
    totals: [pages[0]?.totalItems, pages[0]?.totalPages],
  })
  let isJudged = false
  for (const direction of directions) {
    const before = await whole()
    const sorted = await whole(sortBy(context, plain, 'title', direction))
    const after = await whole()
    if (before === undefined || sorted === undefined || after === undefined) continue
    const [usual, facts] = [factsOf(before), factsOf(sorted)]
    // Other clients write meanwhile.
    if (JSON.stringify(usual) !== JSON.stringify(factsOf(after))) continue
    isJudged = true
    expectEqual(facts, usual, `the ids and totals in ${direction} order`)
  }
  if (!isJudged) await throwUnreadable(context)
}

/** That the order of the words continues across pages. */
export async function expectWholeAcrossPages(context: CheckContext): Promise<void> {
  expectForm(context, 'order')
  const { words, alphabetical } = await pileOf(context)
  const plain = context.table('plain')
  const shown = new Map<string, { direction: Direction; parts: number; found: (string | undefined)[] }>()
  for (const direction of directions)
    for (const parts of [2, 3]) {
      const sort = sortBy(context, plain, 'title', direction)
      const pages = await wholeTable(context, plain, { sort }, parts)
      if (pages === undefined || pages.length < 2) continue
      const ours = itemsOf(pages).filter(({ id }) => words.has(id))
      // That lists contain each record once is another requirement.
      if (ours.length !== words.size || new Set(idsOf(ours)).size !== words.size) continue
      const found = ours.map(({ id }) => words.get(id))
      shown.set(`${direction} ${parts}`, { direction, parts, found })
    }
  if (shown.size === 0) await throwUnreadable(context)
  const all = [...shown.values()]
  const orders = new Set(all.map(({ found }) => found.join()))
  // A server that does not order by the field shows one order in both directions.
  if (orders.size === 1 && new Set(all.map(({ direction }) => direction)).size > 1) throw notSortable(plain)
  for (const { direction, parts, found } of all)
    expectOrder(found, alphabetical, direction, `the words on ${parts} pages of the whole table`)
}

/** @throws UntestableError why no list in an order was read: the server rejects the order, for example */
async function throwUnreadable(context: CheckContext): Promise<never> {
  const plain = context.table('plain')
  await expectSortable(context, { table: plain }, 'title')
  expectForm(context, 'page number')
  throw new UntestableError(
    `the whole list of ${plain.name} cannot be read: other clients write to it, or it has too many pages`,
    'map the role "plain" to a table with fewer records',
  )
}
