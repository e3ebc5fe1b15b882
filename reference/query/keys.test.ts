import { expect, test } from 'vitest'
import { smallScope } from '../../test/query/small-world.ts'
import { fc } from '../../test/support/seeded.ts'
import { Store } from '../store/store.ts'
import { UniqueViolation } from '../store/unique-violation.ts'
import { addTables } from '../tables/add-tables.ts'
import type { Row, Table, Value } from '../vocabulary.ts'
import { compileFilter, optionsFor } from './compile.ts'

const strings = [
  '',
  '0',
  '1',
  '5',
  '5.0',
  '05',
  ' 5',
  '5e0',
  '5x',
  'a',
  'A',
  'a ',
  'true',
  '["a"]',
  '{"lat":1}',
]
const numbers = [0, -0, 1, 5, 2.5, -5, 1e15, 1e21]
const words = '0 -0 1 5 05 5.0 2.5 -5 1000000000000000 1000000000000000000000 true False null @year @now'
const literals = [...strings, '{"10":1,"9":2}', '{"lon":5,"lat":0}']
  .map((text) => `'${text}'`)
  .concat(words.split(' '))
/** A field of each type, and values that it may contain. */
const kinds: [string, Value[]][] = [
  ['{"type":"text"}', strings],
  ['{"type":"email"}', ['', 'a@x.y', 'A@x.y']],
  ['{"type":"number"}', numbers],
  ['{"type":"bool"}', [true, false]],
  ['{"type":"select","values":["a","5"],"maxSelect":1}', ['', 'a', '5']],
  ['{"type":"select","values":["a","5"],"maxSelect":2}', [[], ['a'], ['5'], ['a', '5']]],
  ['{"type":"json"}', [null, ...strings, ...numbers, true, ['a'], { 9: 2, 10: 1 }, { lat: 1 }]],
  ['{"type":"geoPoint"}', [0, 5].map((lon) => ({ lon, lat: 0 }))],
]

test.each(kinds)('%s equals the same with and without a unique index', async (definition, pool) => {
  const some = fc.record({
    stored: fc.shuffledSubarray(pool, { minLength: 1 }),
    ending: fc.constantFrom('', ' COLLATE NOCASE', ' COLLATE RTRIM'),
    where: fc.constantFrom('', " WHERE f != ''", ' WHERE f > 1', ' WHERE f = TRUE'),
  })
  await fc.assert(
    fc.asyncProperty(some, async ({ stored, ending, where }) => {
      const unique = `CREATE UNIQUE INDEX own ON keyed (f${ending})${where}`
      const { store, plain, keyed } = await world(definition, unique, stored)
      const equalities = literals.flatMap((literal) => [`f = ${literal}`, `${literal} ?= f`])
      const responses = (table: Table) => [
        ...equalities.map((text) => `${text}: ${ids(store, table, text)}`),
        ...['f', 't', 'n', 'j'].map((other) => ids(store, plain, `@collection.${table.name}.f ?= ${other}`)),
      ]
      expect(responses(keyed)).toEqual(responses(plain))
    }),
    { numRuns: 15 },
  )
})

/** Two tables with the same rows; only one has the index. */
async function world(definition: string, unique: string, stored: Value[]) {
  const store = new Store()
  const fields = [
    { ...JSON.parse(definition), name: 'f' },
    { type: 'text', name: 't' },
    { type: 'number', name: 'n' },
    { type: 'json', name: 'j' },
  ]
  const [plain, keyed] = addTables(store, [
    { name: 'plain', listRule: '', fields },
    { name: 'keyed', listRule: '', fields, indexes: [unique] },
  ]) as [Table, Table]
  await store.transaction((tx) => {
    for (const [at, f] of stored.entries()) {
      const t = strings[at % strings.length] ?? ''
      const n = numbers[at % numbers.length] ?? 0
      const values = { id: `r${at}`, f, t, n, j: at % 2 ? t : n }
      try {
        tx.insert(keyed, values)
        tx.insert(plain, values)
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error
      }
    }
  })
  return { store, plain, keyed }
}

function ids(store: Store, table: Table, text: string): string {
  const scope = smallScope(store.current, table)
  const filter = compileFilter(text, optionsFor(scope, table, 'rule'))
  const rows: Iterable<Row> = filter.candidates(scope) ?? store.current.scan(table)
  return [...rows].flatMap((row) => (filter.matches(row, scope) ? row.id : [])).join(' ')
}
