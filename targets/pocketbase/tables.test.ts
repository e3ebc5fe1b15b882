import { expect, it } from 'vitest'
import type { Admin } from '../../harness/target/admin.ts'
import { loadTables, tableDefinitions } from '../../spec/tables.ts'
import { importTables, namespaced, removeTables, runsWithTables } from './tables.ts'

it('puts the letters of the run into every name, id, index and rule', () => {
  const text = JSON.stringify(namespaced(loadTables(), 'k3x9q'))
  expect(text).toContain('"conf_k3x9q_plain"')
  expect(text).toContain('idx_conf_k3x9q_unique_code')
  expect(text).toContain('\\"conf_k3x9q_members\\"')
  expect(text.replaceAll('conf_k3x9q_', '')).not.toMatch(/conf_/)
})

it('removes the tables of one run alone, those that others refer to last', async () => {
  const made = (run: string) =>
    namespaced(loadTables(), run).map(({ definition: { id = '', name } }) => ({ id, name }))
  const mine = made('k3x9q').slice(0, 2)
  // Of another client: with the same name, and an identifier of its own.
  const theirs = [
    { id: 'pbc_1', name: 'conf_rooms_booked' },
    { id: 'pbc_2', name: 'conf_k3x9q_plain' },
    { id: 'pbc_3', name: 'users' },
    { id: 'conf_plain_0001', name: 'conf_plain' },
  ]
  const others = [...made('aaaaa').slice(0, 1), ...theirs]
  let tables = [...mine, ...others]
  const admin: Admin = {
    async call(method, path) {
      if (method === 'GET') return { items: tables }
      const id = path.split('/').at(-1)
      if (id === mine[0]?.id && tables.some((table) => table.id === mine[1]?.id))
        throw new Error('something refers to it')
      tables = tables.filter((table) => table.id !== id)
      return undefined
    },
  }
  expect([...(await runsWithTables(admin))]).toEqual(['k3x9q', 'aaaaa'])
  expect(await removeTables(admin, 'k3x9q')).toBe(2)
  expect(tables).toEqual(others)
})

it('makes the tables of a version that lacks a field type without those fields, and says which', async () => {
  const sent: string[] = []
  const admin: Admin = {
    async call(_method, _path, body) {
      const text = JSON.stringify(body)
      sent.push(text)
      // As v0.23 says it.
      const message =
        'Raw error:\\nmissing or unknown field type in {\\"name\\":\\"geo\\",\\"type\\":\\"geoPoint\\"}.'
      if (text.includes('geoPoint'))
        throw new Error(`PUT /collections/import returned 400: {"data":{"message":"${message}"}}`)
    },
  }
  expect(await importTables(admin, tableDefinitions())).toEqual(['geoPoint'])
  expect(sent).toHaveLength(2)
  expect(sent[1]).toContain('"type":"json"')
  const failing: Admin = { call: () => Promise.reject(new Error('returned 400: a name is taken')) }
  await expect(importTables(failing, tableDefinitions())).rejects.toThrow('a name is taken')
})
