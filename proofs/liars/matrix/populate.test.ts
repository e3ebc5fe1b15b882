/** The foreign records: in every table, with ids of every scheme. */

import { expect, it } from 'vitest'
import { createReference, type Reference } from '../../../reference/reference.ts'
import { loadTables, tableDefinitions } from '../../../spec/tables.ts'
import type { IdScheme } from '../liar.ts'
import { idMaker } from './id-maker.ts'
import { FOREIGN_PER_TABLE, populate } from './populate.ts'

async function populated(scheme: IdScheme): Promise<Reference> {
  let made: Reference | undefined
  const ids = idMaker(scheme, () => made)
  made = createReference({ tables: tableDefinitions(), seed: 1, passwordCost: 4, ...(ids && { ids }) })
  await populate(made)
  return made
}

it('foreign records exist in every table, and refer to one another', async () => {
  const reference = await populated('random')
  for (const { definition } of loadTables())
    expect(await reference.records.count(definition.name)).toBeGreaterThanOrEqual(FOREIGN_PER_TABLE)
  const [note] = await reference.records.list('conf_requiring')
  expect(await reference.records.find('conf_plain', String(note?.parent))).toBeDefined()
})

it('the ids of foreign records count up in each table, and never belong to another account', async () => {
  const { records } = await populated('per table')
  for (const table of ['conf_plain', 'conf_everything'])
    expect(await records.find(table, '000000000000001')).toBeDefined()
  expect(await records.find('conf_members', '000000000100001')).toBeDefined()
})

it.each<[IdScheme, boolean]>([
  ['per table', false],
  ['lowest free', true],
])('are given again where ids are %s: %s', async (scheme, again) => {
  const { records } = await populated(scheme)
  const { id } = await records.create('conf_plain', { title: 'new' })
  await records.delete('conf_plain', id)
  expect((await records.create('conf_plain', { title: 'newer' })).id === id).toBe(again)
})
