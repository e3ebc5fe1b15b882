import { expect, test } from 'vitest'
import { createReference } from '../../reference/reference.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import { referenceHooks } from './embedded.ts'

test('records are deleted with their dependents, even if they are already gone', async () => {
  const reference = createReference({ tables: tableDefinitions() })
  const { records } = reference
  const [table, name] = ['conf_plain', 'conf_related']
  const kept = await records.create(table, { title: 'kept' })
  const one = await records.create(table, { title: 'one' })
  const child = await records.create(name, { name: 'child', parent: null })
  const { deleteRecords } = referenceHooks(() => reference)
  await deleteRecords?.({
    records: [
      { table: name, id: child.id },
      { table, id: one.id },
      { table, id: one.id },
    ],
  })
  expect([records.count(table), records.count(name)]).toEqual([1, 0])
  expect(await records.find(table, kept.id)).toBeDefined()
  await reference.close()
})

test('records that cannot be deleted are reported', async () => {
  const reference = createReference({ tables: tableDefinitions() })
  const { deleteRecords } = referenceHooks(() => reference)
  await expect(deleteRecords?.({ records: [{ table: 'nowhere', id: 'a' }] })).rejects.toThrow(/nowhere/)
  await reference.close()
})
