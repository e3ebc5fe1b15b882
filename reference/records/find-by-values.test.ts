import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createReference } from '../reference.ts'
import { RootReader } from '../store/reader.ts'

const id = { name: 'id', type: 'text', min: 1, max: 15, pattern: '^[a-z]+$' } as const

const tables = [
  { id: 'groups000000001', name: 'groups', fields: [id, { name: 'name', type: 'text' as const }] },
  {
    name: 'members',
    fields: [
      id,
      { name: 'group', type: 'relation' as const, collectionId: 'groups000000001', maxSelect: 1 },
      { name: 'nick', type: 'text' as const },
      { name: 'seat', type: 'number' as const },
      { name: 'row', type: 'number' as const },
      { name: 'tags', type: 'json' as const },
    ],
    indexes: [
      'CREATE UNIQUE INDEX by_nick ON members (nick COLLATE NOCASE)',
      'CREATE UNIQUE INDEX by_place ON members (row, seat)',
    ],
  },
]
const records = {
  groups: [{ id: 'one' }, { id: 'two' }],
  members: [
    { id: 'ann', group: 'one', nick: 'Ann', row: 1, seat: 1, tags: ['a'] },
    { id: 'bo', group: 'two', nick: 'bo', row: 1, seat: 2, tags: ['b'] },
    { id: 'cy', group: 'two', nick: '', row: 2, seat: 1, tags: ['b'] },
  ],
}

describe('a record by its values', () => {
  const reference = createReference({ tables, records })
  const find = async (values: Record<string, unknown>) =>
    (await reference.records.find('members', values))?.id

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['the id', { id: 'bo', row: 1 }, 'bo'],
    ['the id, beside a value that it has not', { id: 'bo', row: 2 }, undefined],
    ['a relation: the first one', { group: 'two' }, 'bo'],
    ['a relation, beside another value', { group: 'two', seat: 1 }, 'cy'],
    ['a unique text', { nick: 'Ann' }, 'ann'],
    ['a unique text in other letters', { nick: 'ANN' }, undefined],
    ['two numbers that are unique together', { seat: 1, row: 2 }, 'cy'],
    ['a number as text, beside it', { seat: '1', row: 2 }, undefined],
    ['nobody has it', { nick: 'dan' }, undefined],
  ])('is found without a scan: %s', async (_, values, id) => {
    const scan = vi.spyOn(RootReader.prototype, 'scan')
    onTestFinished(() => scan.mockRestore())
    expect(await find(values)).toBe(id)
    expect(scan).not.toHaveBeenCalled()
  })

  it.each<[Record<string, unknown>, string | undefined]>([
    [{ tags: ['b'] }, 'bo'],
    [{ nick: '' }, 'cy'],
    [{ seat: 2 }, 'bo'],
    [{ seat: 3 }, undefined],
    [{}, 'ann'],
  ])('is found by %j, which is not a key', async (values, id) => {
    expect(await find(values)).toBe(id)
  })
})
