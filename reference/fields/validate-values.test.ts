import { describe, expect, it } from 'vitest'
import { stillEnvironment } from '../../test/support/one-field.ts'
import { Store } from '../store/store.ts'
import { addTables } from '../tables/add-tables.ts'
import { fillGenerated } from './fill-generated.ts'
import { validateValues } from './validate-values.ts'

describe('validateValues', () => {
  it('names every field that is wrong, once', () => {
    const store = new Store()
    const [table] = addTables(store, [
      {
        name: 'table',
        fields: [
          { name: 'a', type: 'text', required: true },
          { name: 'b', type: 'number', max: 5 },
          { name: 'c', type: 'bool' },
        ],
      },
    ])
    if (!table) throw new Error('no table')
    const values = { ...fillGenerated(table, table.zero, stillEnvironment), b: 6 }
    const errors = validateValues(table, values, { reader: store.current })
    expect(Object.keys(errors)).toEqual(['a', 'b'])
    expect(validateValues(table, { ...values, a: 'x', b: 5 }, { reader: store.current })).toEqual({})
  })

  it('rejects an id of a record of another auth table', async () => {
    const store = new Store()
    const [one, two] = addTables(store, [
      { name: 'one', type: 'auth' },
      { name: 'two', type: 'auth' },
    ])
    if (!one || !two) throw new Error('no tables')
    const values = fillGenerated(one, one.zero, stillEnvironment)
    await store.transaction((tx) => tx.insert(one, values))
    const errors = validateValues(two, values, { reader: store.current })
    expect(errors).toEqual({
      id: { code: 'validation_invalid_auth_id', message: 'Invalid or duplicated auth record id.' },
    })
  })
})
