/** Expanded relations (document, sections 2.1, 4.1 and 4.3). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { equals, expandBy, idsOf, sharedRecords, sortBy } from '../../shared/lists/shared-records.ts'
import { type ListBody, listOf, recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { pageSize } from './page-size.ts'

/** Whether a value contains the record with this id and name anywhere. */
function holds(value: unknown, id: string, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const values = Object.values(value)
  return (
    ((value as { id?: unknown }).id === id && values.includes(name)) ||
    values.some((inner) => holds(inner, id, name))
  )
}

check('list.expand-relation', async (context) => {
  const { api, mayExist, unknownForms } = context
  const related = context.table('related')
  const [x, y] = [context.unique('parent'), context.unique('parent')]
  const parents = await context.makeMany(related, [{ name: x }, { name: y }])
  const wanted = [0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0].map((at) => parents[at]?.id)
  const { filter, pages, records } = await sharedRecords(
    context,
    [...wanted.map((parent) => ({ parent })), {}],
    'related',
  )
  const expand = expandBy(context, related, 'parent')
  const expectExpanded = async (query: Query) => {
    const shown = await pages({ expand, ...query })
    const items = shown.flatMap((page) => page.items)
    expectEqual(idsOf(items).sort(), idsOf(records).sort(), 'the ids in the expanded list')
    expectIncluded(shown, (item) => wanted[idsOf(records).indexOf(item.id)], parents)
  }
  await expectExpanded({})
  const paged = await unlessPrevented(() => pageSize(context, 5, 'related'))
  if (paged !== undefined) await expectExpanded({ perPage: paged.requested })
  // By which fields a list can be ordered is left open.
  const sort = sortBy(context, related, 'id', 'descending')
  if (!unknownForms.includes('order') && (await api.list(related, { filter, expand, sort })).ok)
    await expectExpanded({ sort })
  await expectExpandedElsewhere(context, parents)
  if (!mayExist('updateRecord') || !mayExist('viewRecord')) return
  const [renamed] = parents
  const name = context.unique('renamed')
  if (renamed === undefined || !(await api.update(related, renamed.id, { name })).ok) return
  if (recordOf(await api.view(related, renamed.id)).name !== name) return
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

/**
 * The same for a relation to another table, if the list is accepted with this expansion: which relations can be expanded
 * may depend on the table.
 */
async function expectExpandedElsewhere(context: CheckContext, related: readonly WireRecord[]): Promise<void> {
  const { api, hasTable, makeMany, table, unique } = context
  if (!hasTable('everything')) return
  const everything = table('everything')
  const text = unique('referring')
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
  expectIncluded([{ ...list, items }], ({ id }) => wanted.get(id), related)
}

check('list.expand-keeps-record', async (context) => {
  const related = context.table('related')
  const parent = await context.make(related, { name: context.unique('parent') })
  const { pages } = await sharedRecords(context, [{ parent: parent.id, rank: 1 }, { rank: 2 }], 'related')
  const items = async (query: Query) => (await pages(query)).flatMap((page) => page.items)
  const sort = sortBy(context, related, 'rank', 'ascending')
  const plain = await items({ sort })
  const expanded = await items({ sort, expand: expandBy(context, related, 'parent') })
  expectEqual(plain[0]?.parent, parent.id, 'the relation field without expansion')
  for (const [index, item] of plain.entries())
    for (const key of [...commonFields, 'name', 'rank', 'parent'])
      expectEqual(expanded[index]?.[key], item[key], `${key} of item ${index} with expansion`)
  expectEqual(idsOf(expanded), idsOf(plain), 'the ids with expansion')
})
