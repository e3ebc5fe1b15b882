import { expect, it } from 'vitest'
import { UndeletableTables } from './undeletable-tables.ts'

const missing = { status: 404, shown: true }

function after(...deletes: ({ status?: number; shown?: boolean } | undefined)[]): boolean {
  const tables = new UndeletableTables()
  for (const each of deletes) tables.note('notes', each)
  return tables.has('notes')
}

it('is a table whose deletes all fail as those of a missing operation do', () => {
  expect(after(...Array.from({ length: 10 }, () => missing))).toBe(true)
  expect(after(...Array.from({ length: 10 }, () => ({ status: 405 })))).toBe(true)
})

it('is none yet after a few such deletes', () => {
  expect(after(...Array.from({ length: 9 }, () => missing))).toBe(false)
})

it.each([
  ['that worked', undefined],
  ['that a permission prevented', { status: 403, shown: true }],
  ['that another record prevented', { status: 400, shown: true }],
  ['without a response', {}],
])('is none after one delete %s', (_, each) => {
  expect(after(each, ...Array.from({ length: 10 }, () => missing))).toBe(false)
})
