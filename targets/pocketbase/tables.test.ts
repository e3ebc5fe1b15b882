import { expect, it } from 'vitest'
import { loadTables } from '../../spec/tables.ts'
import type { Admin } from './admin.ts'
import { namespaced, removeTables, runsWithTables } from './tables.ts'

it('puts the letters of the run into every name, id, index and rule', () => {
  const text = JSON.stringify(namespaced(loadTables(), 'k3x9q'))
  expect(text).toContain('"conf_k3x9q_plain"')
  expect(text).toContain('idx_conf_k3x9q_unique_code')
  expect(text).toContain('\\"conf_k3x9q_members\\"')
  expect(text.replaceAll('conf_k3x9q_', '')).not.toMatch(/conf_/)
})

it('removes the tables of one run alone, those that others refer to last', async () => {
  const names = [
    'conf_k3x9q_plain',
    'conf_k3x9q_loose',
    'conf_aaaaa_plain',
    'conf_plain',
    'confessions',
    'users',
  ]
  let tables = names.map((name) => ({ id: name, name, created: '2026-01-02 03:04:05.000Z' }))
  const admin: Admin = {
    async call(method, path) {
      if (method === 'GET') return { items: tables }
      const id = path.split('/').at(-1)
      if (id === 'conf_k3x9q_plain' && tables.some((table) => table.id === 'conf_k3x9q_loose'))
        throw new Error('something refers to it')
      tables = tables.filter((table) => table.id !== id)
      return undefined
    },
  }
  expect([...(await runsWithTables(admin)).keys()]).toEqual(['k3x9q', 'aaaaa'])
  expect(await removeTables(admin, 'k3x9q')).toBe(2)
  expect(tables.map(({ name }) => name)).toEqual(names.slice(2))
})
