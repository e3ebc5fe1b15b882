/** The order of lists (standard profile, gap `sort.syntax`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { expressions, oracleValues, sortKeys } from '../../oracle/arbitraries.ts'
import { evaluate } from '../../oracle/evaluate.ts'
import type { Expression, OracleValues } from '../../oracle/expression.ts'
import { print } from '../../oracle/print.ts'
import { compareRecords, printKeys, reversed, type SortKey } from '../../oracle/sort-key.ts'
import { type ListBody, listOf } from '../../shared/records/record-of.ts'
import { spelledQuery } from '../spelled-query.ts'
import { sample } from './sample.ts'

const sets = fc.array(oracleValues, { minLength: 3, maxLength: 9 })

/** Makes the records and gives their list by keys: the whole of it, or one page. */
async function sortable(context: CheckContext, set: readonly OracleValues[]) {
  const { table, whole: filter } = await sample(
    context,
    Object.fromEntries(set.map((each, index) => [`r${index}`, { ...each }])),
  )
  return async (keys: readonly SortKey[], condition?: Expression, page: Query = {}): Promise<ListBody> =>
    listOf(
      await context.api.list(table, {
        filter: condition === undefined ? filter : `${filter} && (${print(condition)})`,
        sort: printKeys(keys),
        perPage: 1000,
        ...page,
      }),
    )
}

/** A failure shows the values of the keys, of the first two records in the wrong order and then of all. */
function expectSorted(records: readonly WireRecord[], keys: readonly SortKey[]): void {
  const valuesOf = (record: WireRecord) => keys.map(({ field }) => record[field])
  records.slice(1).forEach((record, index) => {
    const before = records[index] as WireRecord
    expectThat(
      compareRecords(before, record, keys) <= 0,
      `sort=${printKeys(keys)} puts ${JSON.stringify(valuesOf(before))} before ${JSON.stringify(valuesOf(record))}, in places ${index + 1} and ${index + 2}`,
      'the order of the values',
      records.map(valuesOf),
    )
  })
}

const idsOf = (records: readonly WireRecord[]) => records.map(({ id }) => id)
const byId: SortKey = { field: 'id', descending: false }

check('sort.order', (context) =>
  context.property(
    [sets, fc.array(sortKeys, { minLength: 1, maxLength: 4 })],
    async (set, all) => {
      const list = await sortable(context, set)
      for (const keys of all) {
        const { items } = await list(keys)
        expectEqual(items.length, set.length, `the number of records sorted by ${printKeys(keys)}`)
        expectSorted(items, keys)
      }
    },
    { runs: 7 },
  ),
)

check('sort.reverse', (context) =>
  context.property(
    [sets, sortKeys],
    async (set, keys) => {
      const list = await sortable(context, set)
      const { items: there } = await list([...keys, byId])
      const { items: back } = await list(reversed([...keys, byId]))
      expectEqual(there.length, set.length, 'the number of records')
      expectEqual(
        idsOf(back),
        idsOf(there).reverse(),
        `the ids sorted by ${printKeys(reversed([...keys, byId]))}`,
      )
    },
    { runs: 7 },
  ),
)

check('sort.pages', (context) =>
  context.property(
    [sets, sortKeys, fc.integer({ min: 1, max: 4 }), fc.option(expressions, { nil: undefined, freq: 3 })],
    async (set, keys, perPage, condition) => {
      const list = await sortable(context, set)
      const count = set.filter((each) => condition === undefined || evaluate(condition, each)).length
      const last = Math.ceil(count / perPage)
      const paged: WireRecord[] = []
      // From the last to the first, so that none can lean on the one before it.
      for (let page = last; page >= 1; page -= 1) {
        const body = await list([...keys, byId], condition, { page, perPage })
        expectEqual([body.totalItems, body.totalPages], [count, last], `the totals on page ${page}`)
        paged.unshift(...body.items)
      }
      const { items } = await list([...keys, byId], condition)
      expectEqual(items.length, count, 'the number of records')
      expectEqual(idsOf(paged), idsOf(items), `the pages of ${perPage} together`)
      expectSorted(paged, keys)
    },
    { runs: 7 },
  ),
)

check('sort.direction', async (context) => {
  const { sorted } = await sample(context, { two: { number: 2 }, one: { number: 1 }, three: { number: 3 } })
  expectEqual(await sorted('number'), 'one two three', 'the order by number')
  expectEqual(await sorted('+number'), 'one two three', 'the order by +number')
  expectEqual(await sorted('-number'), 'three two one', 'the order by -number')
})

check('sort.several-keys', async (context) => {
  const { sorted } = await sample(context, {
    b1: { text: 'b', number: 1 },
    a2: { text: 'a', number: 2 },
    b2: { text: 'b', number: 2 },
    a1: { text: 'a', number: 1 },
  })
  expectEqual(await sorted('text,number'), 'a1 a2 b1 b2', 'the order by text,number')
  expectEqual(await sorted('-text,number'), 'b1 b2 a1 a2', 'the order by -text,number')
  expectEqual(await sorted('number,-text'), 'b1 a1 b2 a2', 'the order by number,-text')
  expectEqual(await sorted('bool,date,select,-number,text'), 'a2 b2 a1 b1', 'the order by five keys')
})

check('sort.spaces', async (context) => {
  const { api } = context
  const { sorted, table, whole, records } = await sample(context, {
    b: { text: 'b', number: 1 },
    a: { text: 'a', number: 1 },
  })
  expectEqual(await sorted(' number , text '), 'a b', 'the order by keys with spaces around them')
  const path = `${api.path.records(table)}?${spelledQuery(context, ['filter', encodeURIComponent(whole)], ['sort', '+text'])}`
  const { items } = listOf(await api.raw({ method: 'GET', path, operation: 'listRecords' }))
  expectEqual(
    idsOf(items),
    [records.a?.id, records.b?.id],
    'the order by a key after a plus that is not encoded',
  )
})

check('sort.text', async (context) => {
  const { sorted } = await sample(context, {
    lower: { text: 'a' },
    elephant: { text: '🐘' },
    upper: { text: 'Z' },
    empty: {},
    accent: { text: 'é' },
    wide: { text: 'ﾮ' },
    longer: { text: 'aa' },
    digit: { text: '10' },
  })
  expectEqual(
    await sorted('text'),
    'empty digit upper lower longer accent wide elephant',
    'the order by text',
  )
})

check('sort.number', async (context) => {
  const { sorted } = await sample(context, {
    ten: { number: 10 },
    minus: { number: -2.5 },
    nine: { number: 9 },
    none: {},
    far: { number: 1e15 },
  })
  expectEqual(await sorted('number'), 'minus none nine ten far', 'the order by number')
})

check('sort.bool', async (context) => {
  const { sorted } = await sample(context, { yes: { bool: true }, no: { bool: false } })
  expectEqual(
    [await sorted('bool'), await sorted('-bool')],
    ['no yes', 'yes no'],
    'the orders by bool and -bool',
  )
})

check('sort.date', async (context) => {
  const { sorted } = await sample(context, {
    leap: { date: '2024-02-29 00:00:00.000Z' },
    none: {},
    before: { date: '2024-02-28 23:59:59.999Z' },
    old: { date: '1969-07-20 20:17:40.000Z' },
  })
  expectEqual(await sorted('date'), 'none old before leap', 'the order by date')
})

check('sort.insertion', async (context) => {
  const { sorted } = await sample(context, {
    first: { text: 'c' },
    second: { text: 'a' },
    third: { text: 'b' },
  })
  expectEqual(await sorted('@rowid'), 'first second third', 'the order by @rowid')
  expectEqual(await sorted('-@rowid'), 'third second first', 'the order by -@rowid')
})

check('sort.random', async (context) => {
  const names = [...'abcdefghij']
  const { sorted } = await sample(context, Object.fromEntries(names.map((name) => [name, {}])))
  const orders = new Set<string>()
  for (let turn = 0; turn < 8; turn += 1) {
    const order = await sorted('@random')
    expectEqual(order.split(' ').sort(), names, 'the records in a random order')
    orders.add(order)
  }
  expectThat(orders.size > 1, 'ten records come in the same order eight times', 'more than one order', [
    ...orders,
  ])
})

check('sort.relation', async (context) => {
  const [x, y] = await context.makeMany(context.table('related'), [
    { name: context.unique('x'), rank: 2 },
    { name: context.unique('y'), rank: 1 },
  ])
  const { sorted } = await sample(context, { tox: { relation: x?.id }, toy: { relation: y?.id } })
  expectEqual(await sorted('relation.name'), 'tox toy', 'the order by relation.name')
  expectEqual(await sorted('relation.rank'), 'toy tox', 'the order by relation.rank')
})

check('sort.json', async (context) => {
  const { sorted } = await sample(context, {
    two: { json: { a: { b: 2 } }, geo: { lon: 1, lat: 9 } },
    ten: { json: { a: { b: 10 } }, geo: { lon: -1, lat: 10 } },
  })
  expectEqual(await sorted('json.a.b'), 'two ten', 'the order by json.a.b')
  expectEqual(await sorted('geo.lon'), 'ten two', 'the order by geo.lon')
  expectEqual(await sorted('-geo.lat'), 'ten two', 'the order by -geo.lat')
})

check('sort.lower', async (context) => {
  const { sorted } = await sample(context, {
    upper: { text: 'B' },
    lower: { text: 'a' },
    third: { text: 'c' },
  })
  expectEqual(await sorted('text:lower'), 'lower upper third', 'the order by text:lower')
})
