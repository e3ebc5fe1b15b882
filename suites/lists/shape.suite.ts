/** The list response (document, sections 1 and 2.4). */

import { check } from '../../harness/check.ts'
import { expectEqual, expectThat } from '../../harness/judging/expect.ts'
import type { Query, WireRecord } from '../../harness/vocabulary/api.ts'
import type { TableRef } from '../../harness/vocabulary/target.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { type ListBody, listOf, recordOf } from '../records/record-of.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'
import { commonPile, equals, idsOf } from './pile.ts'
import { pageAfter } from './walk.ts'

const counts = ['page', 'perPage', 'totalItems', 'totalPages'] as const

function expectShape(body: ListBody, what: string): void {
  for (const key of counts)
    expectThat(Number.isInteger(body[key]), `${key} of ${what} is no integer`, 'an integer', body[key])
  expectThat(Array.isArray(body.items), `items of ${what} is no array`, 'an array', body.items)
}

check('list.shape', async ({ api, table }) => {
  const shown = async (query: Query) => {
    const body = listOf(await api.list(table('plain'), query))
    expectShape(body, `a list with ${JSON.stringify(query)}`)
    return body
  }
  await shown({})
  const first = await shown({ perPage: 1 })
  // A page beyond the last one may be refused.
  if (first.totalPages > 1) await shown({ page: pageAfter(first, 1), perPage: 1 })
})

check('list.one-shape', async ({ api, table }) => {
  const shapes: Record<string, string[]> = {}
  for (const role of ['plain', 'related', 'everything', 'members']) {
    const reply = await api.list(table(role))
    // Who may list accounts is left open.
    if (role === 'members' && (reply.status === 401 || reply.status === 403)) continue
    const body = listOf(reply)
    expectShape(body, `a list of ${role}`)
    shapes[role] = Object.keys(body).sort()
  }
  for (const [role, keys] of Object.entries(shapes))
    expectEqual(keys, shapes.plain, `the keys of a list of ${role}, beside one of plain,`)
})

check('list.empty-shape', async (context) => {
  const { list, mark, table } = await commonPile(context, 1)
  expectEqual((await list()).totalItems, 1, 'totalItems of a list with a match')
  const empty = await list({ filter: equals(context, table, 'title', `no-${mark}`) })
  expectShape(empty, 'a list without a match')
  expectEqual([empty.items, empty.totalItems], [[], 0], 'items and totalItems without a match')
})

check('list.items', async (context) => {
  const { list, records } = await commonPile(context, 3)
  const { items } = await list()
  expectEqual(idsOf(items).sort(), idsOf(records).sort(), 'the ids of the items')
  for (const item of items) {
    for (const key of commonFields)
      expectThat(typeof item[key] === 'string' && item[key] !== '', `an item has no ${key}`, 'a text', item)
    expectEqual(
      [item.collectionId, item.collectionName],
      [records[0]?.collectionId, records[0]?.collectionName],
      'the table of an item',
    )
  }
})

check('list.items-as-viewed', async (context) => {
  const { api, table, make, unique } = context
  const related = await make(table('related'), { name: unique('name'), rank: 3 })
  const body = {
    text: unique('text'),
    number: -1.5,
    bool: true,
    date: '2024-02-29 12:00:00.000Z',
    select: 'b',
    selects: ['a', 'c'],
    json: { a: [1, null] },
    geo: { lon: 1.5, lat: -2 },
  }
  const { text, ...others } = { ...body, relation: related.id, relations: [related.id] }
  const full = await make(table('everything'), { text })
  await updateAsTaken(api, table('everything'), full.id, others)
  const asListed = async (ref: TableRef, field: string, record: WireRecord) => {
    const { items } = listOf(
      await api.list(ref, { filter: equals(context, ref, field, String(record[field])) }),
    )
    expectEqual(items.length, 1, 'the number of items')
    const viewed = recordOf(await api.view(ref, record.id), 'the view')
    expectEqual(items[0], viewed, 'the item, beside the viewed record,')
  }
  await asListed(table('everything'), 'text', full)
  await asListed(table('related'), 'name', related)
})
