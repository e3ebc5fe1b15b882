/**
 * A table with ten thousand records, for what takes time with each of them.
 *
 * @module
 */

import type { TableDefinition } from '../../../spec/table-definition.ts'

export const manyName = 'conf_many'
const count = 10_000

export const manyTable: TableDefinition = {
  id: 'conf_many_0001',
  name: manyName,
  type: 'base',
  listRule: '',
  viewRule: '',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'number', type: 'number' },
    { name: 'kids', type: 'relation', collectionId: 'conf_many_0001', maxSelect: 9 },
    { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
    { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
  ],
}

const idAt = (at: number) => `many${String(at % count).padStart(11, '0')}`

export function manyRecords(): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => ({
    id: idAt(at),
    title: `title ${at} ${'a'.repeat(at % 40)}`,
    number: at % 100,
    kids: [idAt(at + 1), idAt(at * 7)],
  }))
}
