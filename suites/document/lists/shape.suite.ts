/** The list response (document, sections 1 and 2.4). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat, isRejected, UntestableError } from '../../../harness/judging/expect.ts'
import { tableHint } from '../../../harness/judging/gate.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { commonFields } from '../../../spec/common-fields.ts'
import { definedFieldsOf } from '../../../spec/tables.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { newAccount, newEmail } from '../../shared/auth/accounts.ts'
import { commonRecords, equals, idsOf, recordsWith } from '../../shared/lists/shared-records.ts'
import { pageAfter } from '../../shared/lists/walk.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { type ListBody, listOf, recordOf } from '../../shared/records/record-of.ts'
import { neededIn } from '../../shared/records/relation-of.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'
import { expectOwnAsViewed } from './expect-own-as-viewed.ts'
import { pageSize } from './page-size.ts'

const counts = ['page', 'perPage', 'totalItems', 'totalPages'] as const

function expectShape(body: ListBody, what: string): void {
  for (const key of counts)
    expectThat(Number.isInteger(body[key]), `${key} of ${what} is not an integer`, 'an integer', body[key])
  expectThat(Array.isArray(body.items), `items of ${what} is not an array`, 'an array', body.items)
}

check('list.shape', async (context) => {
  const { api, table } = context
  const shown = async (query: Query) => {
    const body = listOf(await api.list(table('plain'), query))
    expectShape(body, `a list with ${JSON.stringify(query)}`)
    return body
  }
  await shown({})
  const { requested: perPage } = await pageSize(context, 1)
  const first = await shown({ perPage })
  if (context.unknownForms.includes('page number')) return
  const second = { page: pageAfter(first, 1), perPage }
  const response = await api.list(table('plain'), second)
  // A page beyond the last one may be rejected.
  if (response.ok) expectShape(listOf(response), `a list with ${JSON.stringify(second)}`)
})

/** Lists of one table: as it is, its pages from first to last, and what comes beyond them. */
async function listsOf(context: CheckContext, role: string): Promise<ListBody[]> {
  const { api, table } = context
  const { requested: perPage } = await pageSize(context, 1)
  const usual = await api.list(table(role))
  // The document does not say who may list accounts.
  if (role === 'members' && !usual.ok) return []
  const first = listOf(await api.list(table(role), { perPage }))
  expectShape(first, `a list of ${role}`)
  const bodies = [listOf(usual), first]
  const others = context.unknownForms.includes('page number') ? [] : [first.totalPages - 1, first.totalPages]
  for (const more of others) {
    const response = await api.list(table(role), { perPage, page: pageAfter(first, Math.max(1, more)) })
    if (response.ok) bodies.push(listOf(response))
  }
  for (const body of bodies) expectShape(body, `a list of ${role}`)
  return bodies
}

/** A list of one record that is made for it, or of none: a filter finds it. */
async function listBy(context: CheckContext, role: string, empty: boolean): Promise<ListBody> {
  const table = context.table(role)
  // An account is found by its email.
  const field = role === 'members' ? undefined : textFieldOf(role)
  const [name, value] =
    field === undefined
      ? ['email', empty ? newEmail(context) : (await newAccount(context, role)).email]
      : [field, context.unique('one')]
  if (field !== undefined && !empty)
    await context.make(table, { ...(await neededIn(context, role)), [field]: value })
  const api = ablest(context)
  return listOf(await api.list(table, { filter: equals(context, table, name, value) }))
}

/** Whether one table's lists have the key and the other table's lists, with as many records, do not. */
async function differsByTable(context: CheckContext, key: string, roles: [string, string], empty: boolean) {
  const [one, other] = [await listBy(context, roles[0], empty), await listBy(context, roles[1], empty)]
  return one.totalItems !== other.totalItems || (key in one && !(key in other))
}

/**
 * A key that all lists of one table have, and no list of another table, makes a different shape. A key that depends on
 * the content, such as a link to the next page, does not. Therefore, lists with records are compared only with lists
 * that have records, and empty lists only with empty ones.
 */
check('list.one-shape', async (context) => {
  const keysOf = (bodies: readonly ListBody[]) => bodies.map((body) => new Set(Object.keys(body)))
  const roles = ['plain', 'related', 'parent', 'child', 'everything', 'members'].filter(context.hasTable)
  if (roles.length < 2)
    throw new UntestableError('the target has no second table to compare with', tableHint('members'))
  const lists = new Map<string, ListBody[]>()
  for (const role of roles) lists.set(role, await listsOf(context, role))
  for (const empty of [false, true]) {
    const shapes = [...lists].flatMap(([role, bodies]) => {
      const alike = keysOf(bodies.filter(({ items }) => (items.length === 0) === empty))
      return alike.length === 0 ? [] : [{ role, alike }]
    })
    for (const { role, alike } of shapes) {
      const [first = new Set<string>(), ...others] = alike
      const always = [...first].filter((key) => others.every((keys) => keys.has(key)))
      for (const another of shapes) {
        const missing = always.filter((key) => another.alike.every((keys) => !keys.has(key)))
        const own: string[] = []
        for (const key of missing)
          if (await differsByTable(context, key, [role, another.role], empty)) own.push(key)
        expectEqual(own, [], `the keys of lists of ${role} that no list of ${another.role} has,`)
      }
    }
  }
})

check('list.empty-shape', async (context) => {
  const { list, mark, table } = await commonRecords(context, 1)
  expectEqual((await list()).totalItems, 1, 'totalItems of a list with a match')
  const empty = await list({ filter: equals(context, table, textFieldOf(table.role), `no-${mark}`) })
  expectShape(empty, 'a list without a match')
  expectEqual([empty.items, empty.totalItems], [[], 0], 'items and totalItems without a match')
})

check('list.items', async (context) => {
  const { pages, records } = await commonRecords(context, 3)
  const items = (await pages({})).flatMap((page) => page.items)
  expectEqual(idsOf(items).sort(), idsOf(records).sort(), 'the ids of the items')
  for (const item of items) {
    for (const key of commonFields)
      expectThat(typeof item[key] === 'string' && item[key] !== '', `an item has no ${key}`, 'a string', item)
    expectEqual(
      [item.collectionId, item.collectionName],
      [records[0]?.collectionId, records[0]?.collectionName],
      'the table of an item',
    )
  }
})

/** In which order several choices or relations are shown is left open. */
function inOneOrder(value: unknown): unknown {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? [...value].sort() : value
}

/** The same for a long string in a table with one field. Which length a field accepts is left open. */
async function expectLongAsViewed(context: CheckContext): Promise<void> {
  const { api, table, unique, created } = context
  const plain = table('plain')
  for (const length of [300, 120]) {
    const response = await api.create(plain, { title: unique('long').padEnd(length, '-long') })
    if (isRejected(response)) continue
    const { id } = await created(plain, response)
    const listed = (await readTable(api, plain, (record) => record.id === id)).get(id)
    expectThat(listed !== undefined, 'a list does not contain the created record', 'the record', id)
    const { title } = recordOf(await api.view(plain, id), 'the view')
    expectEqual(listed.title, title, 'a long title in a list, compared with the viewed one,')
    return
  }
}

check('list.items-as-viewed', async (context) => {
  const { api, table, hasTable, make, unique } = context
  await expectLongAsViewed(context)
  await expectOwnAsViewed(context)
  if (!hasTable('everything')) return
  const related = hasTable('related')
    ? await make(table('related'), { name: unique('name'), rank: 3 })
    : undefined
  const body = {
    text: unique('text'),
    number: 2 ** 53 - 1,
    bool: true,
    // Longer than 64 KiB.
    editor: `<p>${'edited '.repeat(10_000)}</p>`,
    date: '2024-02-29 12:00:00.000Z',
    select: 'b',
    selects: ['a', 'c'],
    json: { a: [1, null] },
    geo: { lon: 1.5, lat: -2 },
  }
  const { text, ...others } = {
    ...body,
    ...(related && { relation: related.id, relations: [related.id] }),
  }
  const full = await make(table('everything'), { text })
  await updateAsTaken(api, table('everything'), full.id, others)
  const asListed = async (ref: TableRef, field: string, record: WireRecord) => {
    const items = await recordsWith(context, ref, field, String(record[field]))
    const item = items.find(({ id }) => id === record.id)
    expectThat(item !== undefined, 'a list does not contain the created record', record.id, idsOf(items))
    const viewed = recordOf(await api.view(ref, record.id), 'the view')
    // A server may add to a view what it does not add to an item, a version for one.
    const ours = new Set([...commonFields, ...definedFieldsOf(ref.role).map(({ name }) => name)])
    const own = (shown: WireRecord | undefined) =>
      Object.fromEntries(
        Object.entries(shown ?? {}).flatMap(([key, value]) =>
          ours.has(key) ? [[key, inOneOrder(value)]] : [],
        ),
      )
    expectEqual(own(item), own(viewed), 'the item, compared with the viewed record,')
  }
  await asListed(table('everything'), 'text', full)
  if (related !== undefined) await asListed(table('related'), 'name', related)
})
