import { describe, expect, it } from 'vitest'
import { QueryError } from '../query/query-error.ts'
import { Store } from '../store/store.ts'
import { addTables } from './add-tables.ts'
import { readDefinitions } from './read-definitions.ts'
import { systemTables } from './system.ts'

describe('addTables', () => {
  it('adds all or none', () => {
    const store = new Store()
    expect(() => addTables(store, [{ name: 'good' }, { name: 'not good' }])).toThrow('not good')
    expect([...store.current.tables()]).toEqual([])
  })

  it.each(['a', 'A'])('says once that a table is defined twice, also as "%s"', (name) => {
    expect(() => addTables(new Store(), [{ name: 'a' }, { name: 'b' }, { name }])).toThrow(
      new Error(`Table "${name}" is defined twice. Remove one of the definitions, or give it another name.`),
    )
  })

  it('lets relations name tables that come later, or were there before', () => {
    const store = new Store()
    addTables(store, [{ id: 'early', name: 'early' }])
    const tables = addTables(store, [
      {
        name: 'middle',
        fields: [
          { name: 'a', type: 'relation', collectionId: 'early' },
          { name: 'b', type: 'relation', collectionId: 'late' },
        ],
      },
      { id: 'late', name: 'late' },
    ])
    expect(tables.map(({ name }) => name)).toEqual(['middle', 'late'])
  })

  it('takes a whole export, system tables that are there already left alone', () => {
    const store = new Store()
    addTables(store, systemTables)
    const added = addTables(
      store,
      readDefinitions({ collections: [...systemTables, { name: 'x', surprising: 1 }] }),
    )
    expect(added.map(({ name }) => name)).toEqual(['x'])
  })

  it('has the rules checked with all tables in sight', () => {
    const seen: string[] = []
    addTables(
      new Store(),
      [{ name: 'a', listRule: 'rule', viewRule: '' }, { name: 'b' }],
      (table, text, reader) => {
        seen.push(table.name, text, String(reader.table('b')?.name))
      },
    )
    expect(seen).toEqual(['a', 'rule', 'b'])
  })

  it('reports the invalid rule, and adds nothing', () => {
    const store = new Store()
    const adding = () =>
      addTables(store, [{ name: 'a', listRule: 'nope' }], () => {
        throw new QueryError('Unknown name "nope".', () => ' Did you mean "note"?')
      })
    expect(adding).toThrow(
      'listRule: Invalid rule "nope". Unknown name "nope". Did you mean "note"? (validation_invalid_rule)',
    )
    expect([...store.current.tables()]).toEqual([])
  })
})

describe('readDefinitions', () => {
  it.each([
    ['text', 'must be an array, or an object with the array under "collections"; found a string'],
    [{ collections: {} }, 'found an object'],
    [[null], 'Table definition 0 must be an object; found nothing'],
    [[{}], 'Table definition 0 has no "name". Add it.'],
    [[{ name: 'x', fields: {} }], '"fields" of table "x" must be an array; found an object'],
  ])('rejects %j', (input, message) => {
    expect(() => readDefinitions(input)).toThrow(message)
  })
})
