import { expect, test } from 'vitest'
import { Store } from '../store/store.ts'
import { addTables } from './add-tables.ts'

test.each([
  ['(t)', ['t']],
  ['(n DESC, t)', ['n', 't']],
  ['(t COLLATE BINARY, n)', ['t', 'n']],
  ['(t, lower(t))', ['t']],
  ['(t COLLATE NOCASE, n)', undefined],
  ['(many, t)', undefined],
  ['(n, j)', ['n']],
  ["(t) WHERE t != ''", undefined],
  ['(abs(n))', undefined],
])('lists can use the columns of an index on %s: %j', (columns, names) => {
  for (const kind of ['INDEX', 'UNIQUE INDEX']) {
    if (kind === 'UNIQUE INDEX' && columns === '(abs(n))') continue
    const [table] = addTables(new Store(), [
      {
        name: 'items',
        fields: [
          { name: 't', type: 'text' },
          { name: 'n', type: 'number' },
          { name: 'j', type: 'json' },
          { name: 'many', type: 'select', values: ['a', 'b'], maxSelect: 2 },
        ],
        indexes: [`CREATE ${kind} own ON items ${columns}`],
      },
    ])
    expect(table?.valueIndexes.map(({ fields }) => fields.map(({ name }) => name))).toEqual(
      names === undefined ? [] : [names],
    )
  }
})

test('the indexes that an auth table gets automatically, and a second one on the same fields, are left out', () => {
  const [members] = addTables(new Store(), [
    {
      name: 'members',
      type: 'auth',
      fields: [{ name: 'age', type: 'number' }],
      indexes: ['CREATE INDEX a ON members (age)', 'CREATE UNIQUE INDEX b ON members (age)'],
    },
  ])
  expect(members?.valueIndexes).toHaveLength(1)
})
