/** The shorter way of a clean-up, where a target offers one. */

import { expect, test } from 'vitest'
import { type DeleteAll, Ledger } from './ledger.ts'

/** A ledger with three records and a key, what was deleted in which way, and what its journal was told. */
function filled(deleteAll?: DeleteAll) {
  const single: string[] = []
  const notes: string[] = []
  const ledger = new Ledger({
    note: (sign, table, id) => void notes.push(`${sign}${table}/${id}`),
    ...(deleteAll === undefined ? {} : { deleteAll }),
  })
  for (const [table, id] of [
    ['parents', 'a'],
    ['API keys', 'k'],
    ['children', 'b'],
    ['children', 'c'],
  ] as const)
    ledger.enter({
      table,
      id,
      apart: table === 'API keys',
      async remove() {
        single.push(id)
        return id === 'b' ? { status: 400, reason: 'it is held' } : { status: 204, reason: '' }
      },
    })
  return { ledger, single, notes }
}

test('records are deleted at once, the youngest first, and nothing but records', async () => {
  const asked: (readonly { table: string; id: string }[])[] = []
  const { ledger, single, notes } = filled(async (records) => asked.push(records))
  const mark = ledger.mark()
  ledger.enter({ table: 'parents', id: 'd', remove: async () => ({ status: 204, reason: '' }) })
  await ledger.cleanTo(mark)
  await ledger.cleanTo(0)
  await ledger.cleanTo(0)
  expect(asked).toEqual([
    [{ table: 'parents', id: 'd' }],
    [
      { table: 'children', id: 'c' },
      { table: 'children', id: 'b' },
      { table: 'parents', id: 'a' },
    ],
  ])
  expect(single).toEqual(['k'])
  expect(ledger.leftovers).toEqual([])
  expect(notes.filter((note) => note.startsWith('-'))).toHaveLength(5)
})

test('where that fails each is deleted by itself, from then on, and what remains is told', async () => {
  let asked = 0
  const { ledger, single } = filled(async () => {
    asked += 1
    throw new Error('nobody is there')
  })
  await ledger.cleanTo(0)
  ledger.enter({ table: 'parents', id: 'd', remove: async () => ({ status: 204, reason: '' }) })
  await ledger.cleanTo(0)
  expect(asked).toBe(1)
  expect(single).toEqual(['c', 'b', 'k', 'a', 'b'])
  expect(ledger.leftovers).toEqual([
    { table: 'children', id: 'b', reason: 'the delete was answered with 400: it is held; nobody is there' },
  ])
})

test('without it each is deleted by itself', async () => {
  const { ledger, single } = filled()
  await ledger.cleanTo(0)
  expect(single).toEqual(['c', 'b', 'k', 'a', 'b'])
})
