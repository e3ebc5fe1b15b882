/** Sorted lists (document, sections 2.1, 4.1 and 4.3). */

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat, UntestableError } from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expectForm } from '../../../harness/wire/expect-form.ts'
import { formHint } from '../../../harness/wire/query-text.ts'
import { otherCallers } from '../../shared/auth/sessions.ts'
import { commonValue, tableToShare } from '../../shared/lists/common-value.ts'
import { expectOrder } from '../../shared/lists/expect-order.ts'
import { equals, idsOf, sharedRecords, sortBy } from '../../shared/lists/shared-records.ts'
import { takenRanks, takesNegativeRanks } from '../../shared/lists/taken-ranks.ts'
import { walk } from '../../shared/lists/walk.ts'
import { walkTable } from '../../shared/lists/walk-table.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { sameValue } from '../records/same-value.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'
import { expectEmptyKept } from './expect-empty-kept.ts'
import { expectWholeAcrossPages, expectWholeKept } from './expect-whole-kept.ts'
import { expectWholeOrdered } from './expect-whole-ordered.ts'
import { expectSortable, notSortable, rejectionOfOrder } from './not-sortable.ts'
import { pageSize } from './page-size.ts'
import { pagesFor } from './pages-for.ts'
import { wordsFor } from './words-for.ts'

const ranks = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 9 })
/** With ties, and with numbers whose order differs from their order as strings. */
const manyRanks = [12, 9, -3, 100, 9, 0, 12, -20, 5, 31, -3, 9]
const directions = ['ascending', 'descending'] as const

/** Values of one record by which lists are ordered. */
type SortKeys = { email: string; date: string; number: number }

/**
 * With ties, years out of order, and numbers whose order differs from their order as strings and as whole numbers.
 */
const exampleKeys: SortKeys[] = [
  { email: 'fed@example.com', date: '2024-02-29 12:00:00.000Z', number: 9.75 },
  { email: 'bad@example.com', date: '1999-05-06 12:00:00.000Z', number: 1_000_000_007 },
  { email: 'tin@example.com', date: '2031-01-02 12:00:00.000Z', number: -20 },
  { email: 'mob@example.com', date: '1985-10-26 12:00:00.000Z', number: 9.25 },
  { email: 'bad@example.com', date: '2024-02-29 12:00:00.000Z', number: 9.75 },
]

/** The same with small numbers, for fields that take neither large nor negative ones. */
const smallKeys: SortKeys[] = [9, 100, 25, 10, 9].map((number, at) => ({
  email: `${['fed', 'bad', 'tin', 'mob', 'bad'][at]}@example.com`,
  date: `20${10 + at}-05-06 12:00:00.000Z`,
  number,
}))

/** Letters that every alphabet sorts in the same order, and that no alphabet treats as one letter. */
const word = fc.string({ unit: fc.constantFrom(...'bdfkmptv'), minLength: 1, maxLength: 6 })
/** Days: which part of a moment a server keeps is left open. */
const day = fc
  .date({ min: new Date('1980-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 10)} 12:00:00.000Z`)
/** From few values, so that some come twice. */
const sortKeys = fc
  .tuple(
    fc.array(word, { minLength: 2, maxLength: 4 }),
    fc.array(day, { minLength: 2, maxLength: 4 }),
    fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), { minLength: 2, maxLength: 4 }),
    fc.integer({ min: 2, max: 6 }),
  )
  .map(([words, days, numbers, count]) =>
    Array.from({ length: count }, (_, at) => ({
      email: `${words[(at * 5) % words.length]}@example.com`,
      date: days[(at * 7) % days.length] ?? '',
      number: numbers[(at * 3) % numbers.length] ?? 0,
    })),
  )

/**
 * Orders by a string, a date, a number and the times of a record. The document does not say which fields a list can be
 * ordered by: an order is skipped if it is rejected, or if the list is the same in both directions or without an order.
 */
async function expectOrderedByOthers(context: CheckContext, keys: readonly SortKeys[]): Promise<void> {
  const { api, make, table } = context
  const everything = table('everything')
  const common = await commonValue(context, everything)
  const sent = new Map<string, Partial<SortKeys>>()
  const made: [string, SortKeys][] = []
  for (const body of keys) made.push([(await make(everything, common.body())).id, body])
  // Every other one first: neither the order in which they were created nor its reverse.
  const everyOther = [1, 0].flatMap((from) => made.filter((_, at) => at % 2 === from))
  for (const [id, body] of everyOther) {
    const taken = await updateAsTaken(api, everything, id, body)
    sent.set(id, Object.fromEntries(Object.entries(body).filter(([field]) => taken.includes(field))))
  }
  const filter = equals(context, everything, common.field, common.value)
  const list = async (query: Query) => listOf(await api.list(everything, { filter, ...query }))
  // Whether the list can be narrowed by this value is left open.
  const first = await unlessPrevented(() => list({}))
  if (first?.items.length === 0 || first?.items.every(({ id }) => sent.has(id)) !== true) return
  const unordered = idsOf((await walk(list, {}, keys.length)).flatMap(({ items }) => items))
  for (const field of ['email', 'date', 'number', 'created', 'updated'] as const) {
    const shown: WireRecord[][] = []
    for (const direction of directions) {
      const sort = sortBy(context, everything, field, direction)
      if (!(await api.list(everything, { filter, sort })).ok) break
      shown.push((await walk(list, { sort }, keys.length)).flatMap(({ items }) => items))
    }
    const [up = [], down = []] = shown
    const orders = [idsOf(down), unordered].every((ids) => !isDeepStrictEqual(idsOf(up), ids))
    if (shown.length < 2 || !orders) continue
    // As they were sent: the form in which a value is shown is left open, but for the times of a record.
    const keyOf = (item: WireRecord) => {
      if (field === 'created' || field === 'updated') return item[field]
      const value = sent.get(item.id)?.[field]
      // A server may keep whole numbers only, or few digits.
      return field !== 'number' || sameValue(field, item.number, value) ? value : undefined
    }
    const found = { ascending: up.map(keyOf), descending: down.map(keyOf) }
    if (Object.values(found).some((keys) => keys.includes(undefined))) continue
    for (const direction of directions) {
      const keys = found[direction]
      expectOrder(keys, keys.toSorted(byValue), direction, `the values of ${field}`)
    }
  }
}

/** The same for the table with all field types, if some of its records can be listed alone. */
async function expectEverythingOrdered(context: CheckContext): Promise<void> {
  if ((await tableToShare(context, ['everything']))?.role !== 'everything') return
  await context.property([sortKeys], (keys) => expectOrderedByOthers(context, keys), {
    runs: 3,
    examples: [[exampleKeys], [smallKeys]],
  })
}

/** Two strings or two numbers. */
function byValue(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return String(left) < String(right) ? -1 : Number(String(left) > String(right))
}

/** The rank of a record. A server may show its numbers as strings. */
function rankOf({ rank }: WireRecord): unknown {
  return typeof rank === 'string' && rank.trim() !== '' ? Number(rank) : rank
}

/** Fields, in the order in which they are tried. */
const COMMON_ORDERS = ['title', 'created', 'updated', 'id'] as const

/**
 * Orders a table with only one known text field. The document does not say which fields a list can be ordered by: one
 * is enough, and a field that the server does not order by is not judged.
 */
async function expectSomeOrder(context: CheckContext): Promise<void> {
  const { api, make, table, unique } = context
  const plain = table('plain')
  const words = (await wordsFor(context, plain)).map((word) => unique(word))
  const ids: string[] = []
  for (const title of words) ids.push((await make(plain, { title })).id)
  const isOurs = ({ id }: WireRecord) => ids.includes(id)
  const alike = new Map<string, unknown[]>()
  for (const field of COMMON_ORDERS) {
    const shown: WireRecord[][] = []
    for (const direction of directions) {
      const sort = sortBy(context, plain, field, direction)
      const response = await api.list(plain, { sort })
      if (!response.ok) break
      const pages = await walkTable(api, plain, { query: { sort }, count: ids.length, counts: isOurs })
      shown.push(pages.flatMap(({ items }) => items.filter(isOurs)))
    }
    const [up, down] = shown
    if (up === undefined || down === undefined) continue
    const [upwards, downwards] = [idsOf(up), idsOf(down)]
    if (field === 'title' && !isDeepStrictEqual(upwards, downwards)) {
      const titles = (found: string[]) => found.map((id) => words[ids.indexOf(id)])
      expectOrder(titles(upwards), words.toSorted(), 'ascending', 'the titles')
      expectOrder(titles(downwards), words.toSorted(), 'descending', 'the titles')
      return
    }
    if (!isDeepStrictEqual(upwards, downwards)) return
    alike.set(
      field,
      up.map((item) => item[field]),
    )
  }
  if (alike.size === 0)
    throw new UntestableError(
      'the server rejects every order by a common field; the document does not say which fields are sortable',
      `if orders have another form, ${formHint('order')}; if other fields are sortable, ${tableHint('related')}`,
    )
  // One of two different values comes first in both directions.
  const [field, values] = [...alike].find(([, each]) => new Set(each).size > 1) ?? ['', []]
  const at = values.findIndex((value, place) => place > 0 && value !== values[place - 1])
  const pair =
    at < 0
      ? ''
      : `; by ${field}, ${JSON.stringify(values[at - 1])} comes before ${JSON.stringify(values[at])} in both`
  expectThat(
    false,
    `sorting has no effect: the list in descending order is the same as in ascending order${pair} (if orders have another form, ${formHint('order')})`,
    `another order by one of ${[...alike.keys()].join(', ')}`,
    values,
  )
}

/** The same lists for an account and for a superuser, where they show the same records. */
async function expectOrderedForOthers(context: CheckContext): Promise<void> {
  const all = await takenRanks(context, manyRanks)
  const bodies = all.map((rank) => ({ rank }))
  const pile = await sharedRecords(context, bodies, context.table('related'))
  for (const { who, api } of await otherCallers(context))
    for (const direction of directions) {
      const shown = await pagesFor(api, pile, { sort: sortBy(context, pile.table, 'rank', direction) })
      if (shown === undefined) continue
      const found = shown.items.map(rankOf)
      expectOrder(found, all.toSorted(byValue), direction, `the ranks in a list of ${who}`)
    }
}

/** The order follows updates, if they are accepted: the last rank becomes the first, and the first the last. */
async function expectOrderedAfterUpdate(context: CheckContext): Promise<void> {
  const { api, mayExist } = context
  if (!mayExist('updateRecord') || !mayExist('viewRecord')) return
  const [most, all] = [9, [1, 2, 3]]
  const least = (await takesNegativeRanks(context)) ? -most : 0
  const { pages, records, table } = await sharedRecords(
    context,
    all.map((rank) => ({ rank })),
    context.table('related'),
  )
  const [first, , last] = records
  if (first === undefined || last === undefined) return
  const inOrder = (direction: (typeof directions)[number]) =>
    pages({ sort: sortBy(context, table, 'rank', direction) })
  // A server may keep a list that it has returned.
  for (const direction of directions) await inOrder(direction)
  for (const [{ id }, rank] of [
    [first, most],
    [last, least],
  ] as const) {
    if (!(await api.update(table, id, { rank })).ok) return
    if (rankOf(recordOf(await api.view(table, id))) !== rank) return
  }
  for (const direction of directions) {
    const found = (await inOrder(direction)).flatMap(({ items }) => items.map(rankOf))
    expectOrder(found, [least, 2, most], direction, 'the ranks after updates')
  }
}

check('list.sort-orders', async (context) => {
  expectForm(context, 'order')
  if (!context.hasTable('related')) {
    await expectEverythingOrdered(context)
    return expectSomeOrder(context)
  }
  let isRanked = true
  await context.property(
    [ranks],
    async (some) => {
      const all = await takenRanks(context, some)
      const pile = await sharedRecords(
        context,
        all.map((rank) => ({ rank })),
        context.table('related'),
      )
      const { pages, table } = pile
      isRanked = (await rejectionOfOrder(context, pile, 'rank')) === undefined
      if (!isRanked) return
      for (const direction of directions) {
        const shown = await pages({ sort: sortBy(context, table, 'rank', direction) })
        expectOrder(
          shown.flatMap(({ items }) => items.map(rankOf)),
          all.toSorted(byValue),
          direction,
          'the ranks',
        )
      }
    },
    { runs: 7 },
  )
  if (!isRanked) {
    await expectEverythingOrdered(context)
    return expectSomeOrder(context)
  }
  await expectWholeOrdered(context)
  await expectOrderedAfterUpdate(context)
  await expectOrderedForOthers(context)
  await expectEverythingOrdered(context)
})

/** Records with one word each, and a query that lists only them, if a condition on their relation is accepted. */
async function wordsOf(context: CheckContext) {
  const { api, hasTable, make, makeMany, table, unique } = context
  if (!hasTable('related')) {
    const words = await wordsFor(context, table('plain'))
    const made = await makeMany(
      table('plain'),
      words.map((word) => ({ title: unique(word) })),
    )
    return { table: table('plain'), field: 'title', words, made, query: {} }
  }
  const related = table('related')
  const words = await wordsFor(context, related)
  const { id } = await make(related, { name: unique('parent') })
  const made = await makeMany(
    related,
    words.map((word) => ({ name: unique(word), parent: id })),
  )
  // Not every server takes a condition on a relation; then the whole list is read.
  const filter = equals(context, related, 'parent', id)
  const narrowed = await api.list(related, { filter })
  const isNarrow = narrowed.ok && listOf(narrowed).totalItems === words.length
  return { table: related, field: 'name', words, made, query: isNarrow ? { filter } : {} }
}

check('list.sort-text', async (context) => {
  expectForm(context, 'order')
  const { table, field, words, made, query } = await wordsOf(context)
  const wordById = new Map(idsOf(made).map((id, at) => [id, words[at]]))
  const wordsIn = async (order: Query) => {
    const { ok, status } = await context.api.list(table, { ...query, ...order })
    if (!ok && order.sort !== undefined) throw notSortable(table, status)
    const isOurs = ({ id }: WireRecord) => wordById.has(id)
    const all = { ...query, ...order }
    const pages = await walkTable(context.api, table, { query: all, count: words.length, counts: isOurs })
    const shown = idsOf(pages.flatMap(({ items }) => items.filter(isOurs)))
    return shown.map((id) => wordById.get(id))
  }
  const usual = await wordsIn({})
  const upwards = await wordsIn({ sort: sortBy(context, table, field, 'ascending') })
  const downwards = await wordsIn({ sort: sortBy(context, table, field, 'descending') })
  const alphabetical = words.toSorted()
  const isUsual = upwards.join() === usual.join() && upwards.join() !== alphabetical.join()
  // A server that does not order by the field treats all its values as equal: the list is unchanged, or reversed.
  if (isUsual || upwards.join() === downwards.join()) throw notSortable(table)
  expectOrder(upwards, alphabetical, 'ascending', 'the words')
  expectOrder(downwards, alphabetical, 'descending', 'the words')
})

check('list.sort-keeps-set', async (context) => {
  if (!context.hasTable('related')) return expectWholeKept(context)
  await expectEmptyKept(context)
  await context.property(
    [ranks],
    async (some) => {
      const all = await takenRanks(context, some)
      // One without a value: an order leaves out no record.
      const pile = await sharedRecords(
        context,
        [...all.map((rank) => ({ rank })), {}],
        context.table('related'),
      )
      const { pages, table, records } = pile
      await expectSortable(context, pile, 'rank')
      const [plain] = await pages({})
      for (const direction of directions) {
        const sorted = await pages({ sort: sortBy(context, table, 'rank', direction) })
        const shown = sorted.flatMap(({ items }) => idsOf(items))
        expectEqual(shown.sort(), idsOf(records).sort(), `the ids in ${direction} order`)
        expectEqual(
          [sorted[0]?.totalItems, sorted[0]?.totalPages],
          [plain?.totalItems, plain?.totalPages],
          `the totals in ${direction} order`,
        )
      }
    },
    { runs: 5 },
  )
})

check('list.sort-across-pages', async (context) => {
  if (!context.hasTable('related')) return expectWholeAcrossPages(context)
  await context.property(
    [ranks, fc.integer({ min: 1, max: 4 }), fc.constantFrom(...directions)],
    async (some, which, direction) => {
      const { requested: perPage, size } = await pageSize(context, which, 'related')
      // More of them where pages are large, in no order.
      const enough =
        size === which
          ? some
          : Array.from(
              { length: size + some.length },
              (_, at) => (some[at % some.length] ?? 0) + ((at * 7) % 5),
            )
      const all = await takenRanks(context, enough)
      const pile = await sharedRecords(
        context,
        all.map((rank) => ({ rank })),
        context.table('related'),
      )
      const { pages, table } = pile
      await expectSortable(context, pile, 'rank')
      const shown = await pages({ perPage, sort: sortBy(context, table, 'rank', direction) })
      const found = shown.flatMap(({ items }) => items.map(rankOf))
      expectOrder(found, all.toSorted(byValue), direction, `the ranks on pages of ${perPage}`)
    },
    { runs: 7, examples: [[manyRanks, 1, 'ascending']] },
  )
})
