/** A declared index changes nothing but the time: the same rows in a table with indexes and in one without. */

import { expect, test } from 'vitest'
import { smallScope } from '../../test/query/small-world.ts'
import { fc } from '../../test/support/seeded.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import { Store } from '../store/store.ts'
import { addTables } from '../tables/add-tables.ts'
import type { Environment, Row, Table, Value, Values } from '../vocabulary.ts'
import type { Pagination } from './pagination.ts'
import { selectPage } from './select-page.ts'

const environment: Environment = { now: () => 0, random: () => '0', newId: () => '', passwordCost: 1 }

const fields = [
  { name: 't', type: 'text' },
  { name: 'n', type: 'number' },
  { name: 'b', type: 'bool' },
  { name: 'd', type: 'date' },
  { name: 's', type: 'select', values: ['a', 'b'], maxSelect: 1 },
  { name: 'many', type: 'select', values: ['a', 'b'], maxSelect: 2 },
  { name: 'j', type: 'json' },
  { name: 'up', type: 'relation', collectionId: 'ups' },
] as const

const indexes = [
  'CREATE INDEX by_t ON keyed (t)',
  'CREATE INDEX by_n ON keyed (n DESC)',
  'CREATE INDEX by_b_n ON keyed (b, n)',
  'CREATE INDEX by_d_t ON keyed (d, t, n)',
  'CREATE INDEX by_s ON keyed (s, lower(t))',
  'CREATE INDEX by_many ON keyed (many)',
  'CREATE INDEX by_j ON keyed (j)',
  'CREATE INDEX by_up ON keyed (up, s)',
  "CREATE INDEX part ON keyed (n, s) WHERE s = 'a'",
  'CREATE INDEX folded ON keyed (t COLLATE NOCASE)',
]

const days = ['', '2026-01-01 00:00:00.000Z', '2026-01-02 00:00:00.000Z']
const values: fc.Arbitrary<Values> = fc.record({
  t: fc.constantFrom('', '0', '1', '5', '05', '5.0', 'a', 'A', 'é', '😀', '\uffff'),
  n: fc.constantFrom(0, -0, 1, 2.5, 5, -5, 1e21),
  b: fc.boolean(),
  d: fc.constantFrom(...days),
  s: fc.constantFrom('', 'a', 'b'),
  many: fc.constantFrom<Value>([], ['a'], ['a', 'b']),
  j: fc.constantFrom<Value>(null, 1, '1', ['a'], { k: 1 }),
  up: fc.constantFrom('', 'u0', 'u1'),
})

const names = ['t', 'n', 'b', 'd', 's', 'many', 'j', 'up', 'up.n', 'up.t', 't:lower']
const literals = ["''", "'5'", '5', '1', "'a'", "'A'", "'u1'", 'true', 'null', '@now', `'${days[1]}'`, '2.5']
const comparison = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom('=', '>', '>=', '<', '<=', '!=', '~', '?=', '?>'),
    fc.constantFrom(...literals),
    fc.boolean(),
  )
  .map(([name, operator, literal, swapped]) =>
    swapped ? `${literal} ${operator} ${name}` : `${name} ${operator} ${literal}`,
  )
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { weight: 3, arbitrary: comparison },
    { weight: 2, arbitrary: fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} && ${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} || ${b})`) },
  ),
}))
const sortKey = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('t', 'n', 'b', 'd', 's', 'j', 'up', 'up.n', 'id', '@rowid'),
  )
  .map(([sign, name]) => `${sign}${name}`)
const query = fc.record({
  filter: fc.oneof(fc.constant(''), filter),
  sort: fc.array(sortKey, { maxLength: 3 }).map((keys) => keys.join(',')),
  paging: fc.record({
    page: fc.integer({ min: 1, max: 8 }),
    perPage: fc.integer({ min: 1, max: 9 }),
    skipTotal: fc.boolean(),
  }),
})

test('lists are the same with and without indexes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(values, { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(), fc.option(values)), { maxLength: 10 }),
      fc.array(query, { minLength: 20, maxLength: 20 }),
      async (rows, changes, queries) => {
        const { store, plain, keyed } = await world(rows, changes)
        for (const { filter, sort, paging: pagination } of queries)
          expect({ filter, sort, page: await page(store, keyed, filter, sort, pagination) }).toEqual({
            filter,
            sort,
            page: await page(store, plain, filter, sort, pagination),
          })
      },
    ),
    { numRuns: 60 },
  )
})

test.each([
  ["t = 't7'", '', 1],
  ['n > 490', '', 1],
  ['10 >= n', '-n', 1],
  ['b = true && n < 20', '', 1],
  ["t = 't7' || n = 8", '', 1],
  ["s = 'a' && t = 't7'", '', 1],
  ['', 'n', 1],
  ['', '-n,t', 1],
  ['', 'n', 50],
  ['', '-n', 50],
  ['', '', 50],
  ['', '-id', 50],
])('filter=%s sort=%s page=%d reads a few of 500 rows', async (filter, sort, at) => {
  const row = (n: number) => ({ t: `t${n}`, n, b: n % 2 === 0, d: '', s: 'a', many: [], j: null, up: 'u0' })
  const rows = Array.from({ length: 500 }, (_, n) => row(n))
  const { store, keyed } = await world(rows, [])
  const limits = { ...defaultLimits, steps: 200 }
  const pagination = { page: at, perPage: 10, skipTotal: false }
  const { rows: found } = await page(store, keyed, filter, sort, pagination, new Work(limits))
  expect(found.length).toBeGreaterThan(0)
})

/** Two tables with the same rows, one of them with indexes, after the same changes. */
async function world(rows: readonly Values[], changes: readonly (readonly [number, Values | null])[]) {
  const store = new Store()
  const [ups, plain, keyed] = addTables(store, [
    {
      id: 'ups',
      name: 'up',
      listRule: '',
      fields: [
        { name: 'n', type: 'number' },
        { name: 't', type: 'text' },
      ],
      indexes: ['CREATE INDEX up_n ON up (n)'],
    },
    { name: 'plain', listRule: '', fields: [...fields] },
    { name: 'keyed', listRule: '', fields: [...fields], indexes },
  ] as Parameters<typeof addTables>[1]) as [Table, Table, Table]
  await store.transaction((tx) => {
    for (const at of [0, 1]) tx.insert(ups, { id: `u${at}`, n: at * 5, t: `${at}` })
    for (const table of [plain, keyed])
      for (const [at, row] of rows.entries()) tx.insert(table, { ...row, id: `r${rows.length - at}` })
  })
  for (const [at, changed] of changes)
    await store.transaction((tx) => {
      for (const table of [plain, keyed]) {
        const row = tx.get(table, `r${rows.length - (at % rows.length)}`)
        if (row === undefined) continue
        if (changed === null) tx.remove(table, row)
        else tx.replace(table, row, { ...changed, id: row.id })
      }
    })
  return { store, plain, keyed }
}

async function page(
  store: Store,
  table: Table,
  filter: string,
  sort: string,
  pagination: Pagination,
  work = new Work(defaultLimits),
) {
  const scope = smallScope(store.current, table, { work })
  const found = await selectPage(table, { rule: '', filter, sort, paging: pagination, scope, environment })
  return { ...found, rows: found.rows.map((row: Row) => row.id) }
}
