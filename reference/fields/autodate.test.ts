import { describe, expect, it } from 'vitest'
import { oneField, stillEnvironment } from '../../test/support/one-field.ts'
import { Store } from '../store/store.ts'
import { addTables } from '../tables/add-tables.ts'
import { stampDates } from './fill-generated.ts'
import { resolveBody } from './resolve-body.ts'

describe('autodate', async () => {
  const [table] = addTables(new Store(), [
    {
      name: 'table',
      fields: [
        { name: 'made', type: 'autodate', onCreate: true },
        { name: 'touched', type: 'autodate', onUpdate: true },
      ],
    },
  ])
  if (!table) throw new Error('no table')
  const now = stillEnvironment.now()

  it('is stamped when its event happens', () => {
    const stamp = '2024-02-29 12:30:15.007Z'
    const created = stampDates(table, table.zero, 'create', now)
    expect(created).toMatchObject({ made: stamp, touched: '', created: stamp, updated: stamp })
    const updated = stampDates(table, created, 'update', now + 1)
    expect(updated).toMatchObject({ made: stamp, touched: '2024-02-29 12:30:15.008Z', created: stamp })
  })

  it('cannot be written by a client', () => {
    const { values } = resolveBody(table, undefined, { made: '2020-01-01' }, {}, stillEnvironment)
    expect(values.made).toBe('')
  })

  it('is never wrong', async () => {
    const field = await oneField({ name: 'f', type: 'autodate', onCreate: true })
    expect(field.error('')).toBeUndefined()
  })
})
