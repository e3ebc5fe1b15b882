/** Lists of every client, by both names of a table (document 1, 4.1). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Api, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { allCallers } from '../../shared/auth/all-callers.ts'
import { itemsOf } from '../../shared/lists/items-of.ts'
import { expandBy, firstPage, idsOf, sharedRecords, sortBy } from '../../shared/lists/shared-records.ts'
import { relationOf } from '../../shared/records/relation-of.ts'
import { tableByIdIfKnown } from '../../shared/records/table-by-id.ts'

/** A list of a guest, by the name of the table. */
interface Control {
  /** For messages: `a filter and an order`. */
  what: string
  query: Query
  ids: string[]
}

/** Whether a name is anywhere in an item: where an expansion is, is left open. */
const contains = (item: unknown, name: string) => JSON.stringify(item).includes(name)

/** The items; undefined if the client may not list the table. */
async function listed(api: Api, table: TableRef, query: Query): Promise<WireRecord[] | undefined> {
  const response = await api.list(table, query)
  return response.ok ? itemsOf(response) : undefined
}

/**
 * The queries whose lists show what they should to a guest. That others do not is the finding of another check.
 *
 * @param ids in the order of their ranks
 */
async function controlsOf(
  context: CheckContext,
  table: TableRef,
  filter: string,
  ids: readonly string[],
): Promise<Control[]> {
  const { api, unknownForms } = context
  // Only `related` has a number.
  const hasOrder = table.role === 'related' && !unknownForms.includes('order')
  const sort = hasOrder ? sortBy(context, table, 'rank', 'ascending') : undefined
  const controls: Control[] = [{ what: 'a filter', query: { filter }, ids: ids.toSorted() }]
  if (sort !== undefined)
    controls.push({ what: 'a filter and an order', query: { filter, sort }, ids: [...ids] })
  if (
    sort !== undefined &&
    !['page number', 'page size'].some((part) => unknownForms.some((each) => each === part))
  ) {
    const page = (await firstPage(context, table)) + 1
    const [, second = ''] = ids
    controls.push({ what: 'a second page', query: { filter, sort, perPage: 1, page }, ids: [second] })
  }
  const right: Control[] = []
  for (const control of controls) {
    const found = idsOf((await listed(api, table, control.query)) ?? [])
    if (String(control.query.sort === undefined ? found.toSorted() : found) === String(control.ids))
      right.push(control)
  }
  return right
}

/** A table under one of its names, as one client sees it. */
interface View {
  api: Api
  table: TableRef
  /** For messages: `of a guest, by the name of the table`. */
  by: string
}

/** Three records that refer to two others, and the queries that show a guest what they should. */
async function sceneOf(context: CheckContext) {
  const { api, makeMany, unique } = context
  const { child, parent } = relationOf(context)
  const names = [unique('parent'), unique('parent')]
  const two = await makeMany(
    parent,
    names.map((name) => ({ name })),
  )
  const [x, y] = idsOf(two)
  const bodies = [
    { rank: 2, parent: x },
    { rank: 1, parent: y },
    { rank: 3, parent: x },
  ]
  const { records, filter, related } = await (child === parent
    ? sharedRecords(context, bodies, child)
    : sharedRecords(
        context,
        bodies.map(({ parent: id }) => ({ parent: id })),
        child,
        { parent: x },
      ))
  const [second = '', first = '', third = ''] = idsOf(records)
  const controls = await controlsOf(context, child, filter, [first, second, third])
  const sort = controls.find(({ query }) => query.sort !== undefined)?.query.sort
  const expand = expandBy(context, child, 'parent')
  // Where no two may have the same text, they refer to the same record.
  const parents = related === undefined ? two : [related]
  const nameAt = (at: number) => (related === undefined ? (names[at] ?? '') : String(related.name))
  /** By id of the record that refers to it. */
  const parentNames = new Map([
    [first, nameAt(1)],
    [second, nameAt(0)],
    [third, nameAt(0)],
  ])
  const shows = (items: readonly WireRecord[] = []) =>
    items.length > 0 && items.every((item) => contains(item, parentNames.get(item.id) ?? item.id))
  const expansions: Query[] = [{ filter, expand }]
  if (sort !== undefined) expansions.push({ filter, sort, expand })
  const expands =
    !context.unknownForms.includes('expansion') &&
    context.mayExist('viewRecord') &&
    shows(await listed(api, child, { filter, expand }))
  return {
    child,
    parent,
    parents,
    records,
    parentNames,
    controls,
    shows,
    expansions: expands ? expansions : [],
  }
}

type Scene = Awaited<ReturnType<typeof sceneOf>>

/** A list may show a client fewer records. If the filtered list shows it all of them, every other list must, too. */
async function expectRightLists({ parentNames, controls }: Scene, { api, table, by }: View): Promise<void> {
  let seesAll = false
  for (const { what, query, ids } of controls) {
    const items = await listed(api, table, query)
    if (items === undefined) continue
    const found = idsOf(items)
    const isNarrow = found.every((id) => parentNames.has(id))
    expectThat(isNarrow, `a list with ${what} ${by} shows other records`, ids.join(', '), found)
    if (what === 'a filter') seesAll = found.length === parentNames.size
    else if (seesAll) expectEqual(found, ids, `the ids in a list with ${what} ${by}`)
  }
}

async function expectExpanded(
  { child, parent, parents, parentNames, shows, expansions }: Scene,
  { api, table, by }: View,
): Promise<void> {
  if (expansions.length === 0 || !(await seesParents(api, child === parent ? table : parent, parents))) return
  for (const query of expansions) {
    const items = await listed(api, table, query)
    if (items === undefined || items.length === 0) continue
    const what = 'sort' in query ? 'an expansion and an order' : 'an expansion'
    const expected = [...parentNames.values()].join(', ')
    expectThat(shows(items), `a list with ${what} ${by} lacks a related record`, expected, items)
  }
}

async function seesParents(api: Api, table: TableRef, parents: readonly WireRecord[]): Promise<boolean> {
  for (const { id } of parents) if (!(await api.view(table, id)).ok) return false
  return true
}

check('list.any-caller', async (context) => {
  const scene = await sceneOf(context)
  const { child, parent, parents, controls, records } = scene
  if (!controls.some(({ what }) => what === 'a filter')) return
  const byId = context.mayExist('viewRecord')
    ? await tableByIdIfKnown(context, child, child === parent ? parents[0] : records[0])
    : undefined
  for (const { who, api } of await allCallers(context, child))
    for (const table of byId === undefined ? [child] : [child, byId]) {
      const view = {
        api,
        table,
        by: `of ${who}, by the ${table === byId ? 'identifier' : 'name'} of the table`,
      }
      await expectRightLists(scene, view)
      await expectExpanded(scene, view)
    }
})
