/** The keys that `fields` selects from a response (standard profile, gap `fields.syntax`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, objectBody } from '../../../harness/judging/expect.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { sample, sampleId } from './sample.ts'

/** The one record of a new sample, and what a list shows of it. */
async function picking(context: CheckContext, body: Record<string, unknown> = {}) {
  const shown = { text: 'x', number: 1, selects: ['a', 'b'], geo: { lon: 1, lat: 2 } }
  const found = await sample(context, { a: { ...shown, ...body } })
  const list = async (query: Query): Promise<WireRecord> => {
    const { items } = listOf(await context.api.list(found.table, { filter: found.whole, ...query }))
    expectEqual(items.length, 1, `the number of items with ${JSON.stringify(query)}`)
    return items[0] as WireRecord
  }
  return {
    table: found.table,
    id: sampleId(found, 'a'),
    /** The record without `fields`. */
    full: await list({}),
    /** Values of `fields` and the record that each must leave. */
    async picks(cases: Readonly<Record<string, unknown>>, query: Query = {}): Promise<void> {
      for (const [fields, expected] of Object.entries(cases))
        expectEqual(await list({ ...query, fields }), expected, `the record with fields=${fields}`)
    },
  }
}

check('fields.picks', async (context) => {
  const found = await picking(context)
  await found.picks({
    text: { text: 'x' },
    'id,number': { id: found.id, number: 1 },
    'number,text,bool': { text: 'x', number: 1, bool: false },
    'selects,geo': { selects: ['a', 'b'], geo: { lon: 1, lat: 2 } },
    'text,text': { text: 'x' },
  })
})

check('fields.list-frame', async (context) => {
  const { table, whole: filter } = await sample(context, {
    a: { text: 'x' },
    b: { text: 'x' },
    c: { text: 'x' },
  })
  const query = { filter, perPage: 2 }
  const usual = listOf(await context.api.list(table, query))
  expectEqual([usual.items.length, usual.totalItems], [2, 3], 'the number of items, and totalItems')
  const frame = (items: unknown[]) => ({ ...usual, items })
  expectEqual(
    listOf(await context.api.list(table, { ...query, fields: 'text' })),
    frame([{ text: 'x' }, { text: 'x' }]),
    'the list with fields=text',
  )
  for (const fields of ['page', 'items.text', 'totalItems'])
    expectEqual(
      listOf(await context.api.list(table, { ...query, fields })),
      frame([{}, {}]),
      `the list with fields=${fields}`,
    )
})

check('fields.unknown', async (context) => {
  const { picks } = await picking(context)
  await picks({
    'text,nope': { text: 'x' },
    nope: {},
    'Text,number': { number: 1 },
    'geo.nope,number': { number: 1, geo: {} },
  })
})

check('fields.blank', async (context) => {
  const { picks, full } = await picking(context)
  await picks({ '': full, ',': full, ' , ': full, text: { text: 'x' } })
})

check('fields.spaces', async (context) => {
  const { picks } = await picking(context)
  await picks({ ' text , number ': { text: 'x', number: 1 }, '\ttext': { text: 'x' } })
})

check('fields.wildcard', async (context) => {
  const { picks, full } = await picking(context)
  await picks({
    '*': full,
    '*,text': full,
    'text,*': full,
    'geo.*': { geo: { lon: 1, lat: 2 } },
    text: { text: 'x' },
  })
})

check('fields.path', async (context) => {
  const [x, y] = await context.makeMany(context.table('related'), [
    { name: context.unique('x'), rank: 1 },
    { name: context.unique('y'), rank: 2 },
  ])
  const name = x?.name
  const { picks } = await picking(context, {
    relation: x?.id,
    relations: [y?.id, x?.id],
    json: { a: [{ b: 1, c: 2 }, { b: 3 }] },
  })
  await picks(
    {
      'geo.lat': { geo: { lat: 2 } },
      'text,expand.relation.name': { text: 'x', expand: { relation: { name } } },
      'expand.relations.rank': { expand: { relations: [{ rank: 2 }, { rank: 1 }] } },
      'expand.relation.name,expand.relation.rank': { expand: { relation: { name, rank: 1 } } },
      'json.a.b': { json: { a: [{ b: 1 }, { b: 3 }] } },
    },
    { expand: 'relation,relations' },
  )
})

check('fields.wildcard-path', async (context) => {
  const x = await context.make(context.table('related'), { name: context.unique('x'), rank: 1 })
  const { picks, full } = await picking(context, { relation: x.id, relations: [x.id] })
  await picks(
    {
      'expand.*': { expand: { relation: x, relations: [x] } },
      '*,expand.relation.name': { ...full, expand: { relation: { name: x.name } } },
      'expand.relation.*': { expand: { relation: x } },
    },
    { expand: 'relation,relations' },
  )
})

check('fields.path-end', async (context) => {
  const { picks } = await picking(context)
  await picks({
    'text.y': { text: 'x' },
    'number.a.b': { number: 1 },
    'selects.0': { selects: ['a', 'b'] },
    'geo.lat.x': { geo: { lat: 2 } },
  })
})

check('fields.view', async (context) => {
  const { table, id } = await picking(context)
  const { api } = context
  expectEqual(
    objectBody(await api.view(table, id, { fields: 'text,geo.lon' })),
    { text: 'x', geo: { lon: 1 } },
    'the viewed record',
  )
  expectEqual(
    objectBody(await api.view(table, id, { fields: 'nope' })),
    {},
    'the viewed record without any known name',
  )
})

check('fields.writes', async (context) => {
  const { api } = context
  const { table, id, full } = await picking(context)
  const text = context.unique('text')
  const created = objectBody(await api.create(table, { text }, { fields: 'id,text' }))
  expectEqual(created, { id: created.id, text }, 'the created record')
  expectEqual(
    recordOf(await api.view(table, String(created.id))).text,
    text,
    'text of the created record in a view',
  )
  expectEqual(
    objectBody(await api.update(table, id, { number: 2 }, { fields: 'number' })),
    { number: 2 },
    'the updated record',
  )
  const after = recordOf(await api.view(table, id))
  expectEqual([after.text, after.number], [full.text, 2], 'text and number of the updated record in a view')
})

check('fields.errors', async (context) => {
  const { api, table, rejects } = context
  const found = await sample(context, { a: { text: 'x' } })
  const response = await rejects({
    control: () => api.view(table('everything'), sampleId(found, 'a'), { fields: 'text' }),
    attempt: () => api.view(table('everything'), NO_RECORD, { fields: 'text' }),
    status: 404,
  })
  expectEqual(
    Object.keys(objectBody(response)).sort(),
    ['data', 'message', 'status'],
    'the keys of the error',
  )
})
