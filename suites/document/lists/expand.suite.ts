/** Expanded relations (document, sections 2.1, 4.1 and 4.3). */

import { isDeepStrictEqual } from 'node:util'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { ourValues } from '../../../harness/target/mapped-table.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { expectForm } from '../../../harness/wire/expect-form.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import {
  alike,
  equals,
  expandBy,
  idsOf,
  type SharedRecords,
  sharedRecords,
  sortBy,
} from '../../shared/lists/shared-records.ts'
import { type ListBody, listOf, recordOf } from '../../shared/records/record-of.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { rejectionOfOrder } from './not-sortable.ts'
import { pageSize } from './page-size.ts'
import { wholeTable } from './whole-table.ts'

/** The objects with this id and name, anywhere in a value. */
function found(value: unknown, id: string, name: string): object[] {
  if (typeof value !== 'object' || value === null) return []
  const values = Object.values(value)
  const inside = values.flatMap((inner) => found(inner, id, name))
  return (value as { id?: unknown }).id === id && values.includes(name) ? [value, ...inside] : inside
}

/** Whether a value contains the record with this id and name anywhere. */
function holds(value: unknown, id: string, name: string): boolean {
  return found(value, id, name).length > 0
}

/** Children: more than the thirty records that many servers return on a page. */
const CHILDREN = 36

/** Children of two parents, by turns, and one without a parent where that is possible. */
async function family(context: CheckContext) {
  const { child, parent } = relationOf(context)
  const [x, y] = [context.unique('parent'), context.unique('parent')]
  const parents = await context.makeMany(parent, [{ name: x }, { name: y }])
  const wanted = Array.from({ length: CHILDREN }, (_, at) => parents[((at * at + at * 3) % 7) % 2]?.id)
  const pile = await sharedRecords(
    context,
    // In another table, each record may have to refer to one.
    [...wanted.map((id) => ({ parent: id })), ...(child === parent ? [{}] : [])],
    child,
    child === parent ? {} : { parent: parents[0]?.id },
  )
  const { filter, pages, records, related } = pile
  if (related !== undefined) return familiesApart(context, pile, related)
  // It may also be allowed to refer to none.
  const alone =
    child === parent ? undefined : await unlessPrevented(() => context.make(child, pile.another()))
  if (alone !== undefined) records.push(alone)
  return { filter, pages, records, parents, parentOf: (at: number) => wanted[at] }
}

/** Where no two names may be the same, each list contains the children of one parent. */
async function familiesApart(context: CheckContext, pile: SharedRecords, related: WireRecord) {
  const other = await sharedRecords(context, alike(2), pile.table)
  const pages = async (query: Query) => [...(await pile.pages(query)), ...(await other.pages(query))]
  return {
    filter: pile.filter,
    pages,
    records: [...pile.records, ...other.records],
    parents: [related, ...(other.related === undefined ? [] : [other.related])],
    parentOf: (at: number) => (at < pile.records.length ? related : other.related)?.id,
  }
}

check('list.expand-relation', async (context) => {
  const { api, mayExist, unknownForms } = context
  const { child, parent } = relationOf(context)
  const { filter, pages, parentOf, parents, records } = await family(context)
  expectForm(context, 'expansion')
  const expand = expandBy(context, child, 'parent')
  const expectExpanded = async (query: Query) => {
    const shown = await pages({ expand, ...query })
    const items = shown.flatMap((page) => page.items)
    expectEqual(idsOf(items).sort(), idsOf(records).sort(), 'the ids in the expanded list')
    expectIncluded(shown, (item) => parentOf(idsOf(records).indexOf(item.id)), parents)
    expectTableNamed(shown, parents, parent)
    return shown
  }
  await expectCreatedShown(context, await expectExpanded({}), parents, parent)
  // All of them on one page, if the server has pages of that size.
  if ((await api.list(child, { filter, expand, perPage: 100 })).ok) await expectExpanded({ perPage: 100 })
  const paged = await unlessPrevented(() => pageSize(context, 5, child.role))
  if (paged !== undefined) await expectExpanded({ perPage: paged.requested })
  // By which fields a list can be ordered is left open.
  const sort = sortBy(context, child, 'id', 'descending')
  if (!unknownForms.includes('order') && (await api.list(child, { filter, expand, sort })).ok)
    await expectExpanded({ sort })
  await expectExpandedElsewhere(context)
  if (!mayExist('updateRecord') || !mayExist('viewRecord')) return
  const [renamed] = parents
  const name = context.unique('renamed')
  if (renamed === undefined || !(await api.update(parent, renamed.id, { name })).ok) return
  if (recordOf(await api.view(parent, renamed.id)).name !== name) return
  renamed.name = name
  await expectExpanded({})
})

/**
 * Each item includes the record that it refers to, as it is. Where the records are is left open: in the items, or next to
 * them.
 *
 * @param wanted the id that an item refers to
 */
function expectIncluded(
  shown: readonly ListBody[],
  wanted: (item: WireRecord) => unknown,
  related: readonly WireRecord[],
): void {
  const withoutItems = shown.map((page) => ({ ...page, items: [] }))
  if (related.every(({ id, name }) => withoutItems.some((rest) => holds(rest, id, String(name))))) return
  for (const item of shown.flatMap((page) => page.items)) {
    const own = wanted(item)
    for (const { id, name } of related)
      expectThat(
        holds(item, id, String(name)) === (id === own),
        id === own
          ? 'the item does not include the record that it refers to'
          : 'an item includes a record that it does not refer to',
        String(name),
        item,
      )
  }
}

/** An expanded record that shows its table shows the one that it is in. */
function expectTableNamed(
  shown: readonly ListBody[],
  records: readonly WireRecord[],
  { name: table }: TableRef,
): void {
  for (const { id, name, collectionId } of records)
    for (const record of shown.flatMap((page) => found(page, id, String(name))) as WireRecord[]) {
      if (typeof record.collectionName === 'string')
        expectEqual(record.collectionName, table, '`collectionName` of an expanded record')
      if (typeof record.collectionId === 'string' && typeof collectionId === 'string')
        expectEqual(record.collectionId, collectionId, '`collectionId` of an expanded record')
    }
}

/** An expanded record that shows when it was created shows it as a view does. */
async function expectCreatedShown(
  { api, mayExist }: CheckContext,
  shown: readonly ListBody[],
  records: readonly WireRecord[],
  table: TableRef,
): Promise<void> {
  if (!mayExist('viewRecord')) return
  for (const { id, name } of records) {
    const view = await api.view(table, id)
    const created = view.ok ? recordOf(view).created : undefined
    for (const record of shown.flatMap((page) => found(page, id, String(name))) as WireRecord[])
      if (typeof created === 'string' && typeof record.created === 'string')
        expectEqual(record.created, created, '`created` of an expanded record')
  }
}

/**
 * The same for a relation to another table, if the list is accepted with this expansion: which relations can be expanded
 * may depend on the table. No list has shown the records to which it leads: a server may keep what it has shown.
 */
async function expectExpandedElsewhere(context: CheckContext): Promise<void> {
  const { api, hasTable, makeMany, table, unique } = context
  if (!hasTable('everything') || !hasTable('related')) return
  const everything = table('everything')
  const text = unique('referring')
  const related = await unlessPrevented(() =>
    makeMany(table('related'), [{ name: unique('parent') }, { name: unique('parent') }]),
  )
  if (related === undefined) return
  const made = await unlessPrevented(() =>
    makeMany(
      everything,
      related.map(({ id }) => ({ text, relation: id })),
    ),
  )
  if (made === undefined) return
  const filter = equals(context, everything, 'text', text)
  const response = await api.list(everything, { filter, expand: expandBy(context, everything, 'relation') })
  if (!response.ok) return
  const list = listOf(response)
  const wanted = new Map(idsOf(made).map((id, at) => [id, related[at]?.id]))
  const items = list.items.filter(({ id, relation }) => relation === wanted.get(id))
  const shown = [{ ...list, items }]
  expectIncluded(shown, ({ id }) => wanted.get(id), related)
  expectTableNamed(shown, related, table('related'))
}

/** Fields of 2.1, and those of the table that the run knows: keys that the server adds on its own may change. */
function keptFields(table: TableRef, ...own: string[]): string[] {
  return [...new Set([...commonFields, ...own, ...Object.keys(ourValues(table))])]
}

/** The same for two tables, whose records have no number to be ordered by. */
async function expectKeptBetween(context: CheckContext): Promise<void> {
  const { child, parent } = relationOf(context)
  const { makeMany, unique } = context
  const parents = await makeMany(parent, [{ name: unique('parent') }, { name: unique('parent') }])
  const { pages } = await sharedRecords(
    context,
    parents.map(({ id }) => ({ parent: id })),
    child,
    { parent: parents[0]?.id },
  )
  expectForm(context, 'expansion')
  const items = async (query: Query) => {
    const shown = (await pages(query)).flatMap((page) => page.items)
    return shown.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }
  const plain = await items({})
  const expanded = await items({ expand: expandBy(context, child, 'parent') })
  expectEqual(idsOf(expanded), idsOf(plain), 'the ids with expansion')
  for (const [index, item] of plain.entries())
    for (const key of keptFields(child, 'name', 'parent'))
      expectEqual(expanded[index]?.[key], item[key], `${key} of item ${item.id} with expansion`)
  await expectOrderKept(context)
}

/** The words of these records, in an order that is not that of their creation. */
const words = ['mango', 'apple', 'zebra', 'delta']

/** An order of the whole table, if it has an effect without expansion, has the same effect with it. */
async function expectOrderKept(context: CheckContext): Promise<void> {
  const { make, makeMany, unique, unknownForms } = context
  if (unknownForms.includes('order')) return
  const { child, parent } = relationOf(context)
  const { id } = await make(parent, { name: unique('parent') })
  const made = await makeMany(
    child,
    words.map((word) => ({ name: unique(word), parent: id })),
  )
  const wordOf = new Map(made.map((record, at) => [record.id, words[at]]))
  const wordsIn = async (query: Query) =>
    (await wholeTable(context, child, query, 1))
      ?.flatMap(({ items }) => idsOf(items).map((each) => wordOf.get(each)))
      .filter((word) => word !== undefined)
  for (const direction of ['ascending', 'descending'] as const) {
    const sort = sortBy(context, child, 'name', direction)
    const alphabetical = direction === 'ascending' ? words.toSorted() : words.toSorted().reverse()
    if (!isDeepStrictEqual(await wordsIn({ sort }), alphabetical)) return
    const expanded = await wordsIn({ sort, expand: expandBy(context, child, 'parent') })
    if (expanded !== undefined)
      expectEqual(expanded, alphabetical, `the words in ${direction} order with expansion`)
  }
}

check('list.expand-keeps-record', async (context) => {
  const { child, parent } = relationOf(context)
  if (child !== parent) return expectKeptBetween(context)
  const own = await context.make(parent, { name: context.unique('parent') })
  // Their order is neither that of their creation nor its reverse.
  const bodies = [{ parent: own.id, rank: 2 }, { rank: 3 }, { rank: 1 }]
  const pile = await sharedRecords(context, bodies, child)
  const { pages, records, related } = pile
  const { id } = related ?? own
  const items = async (query: Query) => (await pages(query)).flatMap((page) => page.items)
  // By which fields a list can be ordered is left open.
  const isSortable =
    !context.unknownForms.includes('order') && (await rejectionOfOrder(context, pile, 'rank')) === undefined
  const order = isSortable ? { sort: sortBy(context, child, 'rank', 'ascending') } : {}
  const plain = await items(order)
  const expanded = await items({ ...order, expand: expandBy(context, child, 'parent') })
  const ofFirst = plain.find((item) => item.id === records[0]?.id)
  expectEqual(ofFirst?.parent, id, 'the relation field without expansion')
  for (const item of plain) {
    const same = expanded.find((each) => each.id === item.id)
    for (const key of keptFields(child, 'name', 'rank', 'parent'))
      expectEqual(same?.[key], item[key], `${key} of item ${item.id} with expansion`)
  }
  expectEqual(idsOf(expanded).sort(), idsOf(plain).sort(), 'the ids with expansion')
  // The order may have no effect.
  const ranks = plain.map(({ rank }) => rank)
  if (isDeepStrictEqual(ranks, [1, 2, 3]))
    expectEqual(
      expanded.map(({ rank }) => rank),
      ranks,
      'the ranks in ascending order with expansion',
    )
})
