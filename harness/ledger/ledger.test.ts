/** The shorter way of a clean-up, where a target offers one. */

import { expect, test } from 'vitest'
import { type DeleteAll, Ledger } from './ledger.ts'

const ours = {
  standing: async () => 'ours' as const,
  remove: async () => ({ status: 204, reason: '' }),
}

/** A ledger with three records and a key, what was deleted in which way, and what its journal was told. */
function filled(deleteAll?: DeleteAll) {
  const single: string[] = []
  const notes: string[] = []
  const ledger = new Ledger({
    note: (entry) => void notes.push(`${entry.event} ${entry.table}`),
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
      ...(table === 'API keys' ? {} : { standing: async () => 'ours' as const }),
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
  ledger.enter({ ...ours, table: 'parents', id: 'd' })
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
  expect(notes.filter((note) => note.startsWith('gone'))).toHaveLength(5)
})

test('where that fails each is deleted by itself, from then on, and what remains is told', async () => {
  let asked = 0
  const { ledger, single } = filled(async () => {
    asked += 1
    throw new Error('nobody is there')
  })
  await ledger.cleanTo(0)
  ledger.enter({ ...ours, table: 'parents', id: 'd' })
  await ledger.cleanTo(0)
  expect(asked).toBe(1)
  expect(single).toEqual(['c', 'b', 'k', 'a', 'b'])
  expect(ledger.leftovers).toEqual([
    { table: 'children', id: 'b', reason: 'the delete returned 400: it is held; nobody is there' },
  ])
})

test('without it each is deleted by itself', async () => {
  const { ledger, single } = filled()
  await ledger.cleanTo(0)
  expect(single).toEqual(['c', 'b', 'k', 'a', 'b'])
})

test('what is still shown is deleted once more, before whoever sees it is gone', async () => {
  const events: string[] = []
  const ledger = new Ledger()
  const enter = (id: string, removals: { status: number; shown?: boolean }[]) =>
    ledger.enter({
      table: 'notes',
      id,
      standing: async () => 'ours',
      async remove() {
        events.push(id)
        return { reason: '', ...(removals.shift() ?? { status: 404 }) }
      },
    })
  enter('account', [{ status: 204 }])
  enter('stubborn', [
    { status: 204, shown: true },
    { status: 204, shown: true },
  ])
  enter('second', [{ status: 204, shown: true }, { status: 204 }])
  await ledger.cleanTo(0)
  expect(events).toEqual(['second', 'second', 'stubborn', 'stubborn', 'account', 'stubborn'])
  // The 404 of the last attempt says nothing: the account that saw it is gone.
  expect(ledger.leftovers.map(({ id }) => id)).toEqual(['stubborn'])
})

test('what a response says is deleted is looked for where it is in doubt', async () => {
  const removed: string[] = []
  const ledger = new Ledger()
  for (const [id, there] of [
    ['gone', false],
    ['kept', true],
  ] as const)
    ledger.enter({
      table: 'notes',
      id,
      standing: async () => 'ours',
      remains: async () => there,
      async remove() {
        removed.push(id)
        return { status: 204, reason: '' }
      },
    })
  ledger.doubt('notes', 'gone')
  ledger.doubt('notes', 'kept')
  await ledger.cleanTo(0)
  expect(removed).toEqual(['kept'])
  expect(ledger.leftovers).toEqual([])
})

test('a record whose id may be wrong is reported with what was sent', async () => {
  const ledger = new Ledger()
  const intent = ledger.intend({ table: 'notes', field: 'title', value: 'title-abc' })
  ledger.enter({
    ...ours,
    table: 'notes',
    id: 'x',
    intent,
    standing: async () => ({ unknown: 'no view shows it' }),
  })
  await ledger.cleanTo(0)
  expect(ledger.leftovers).toMatchObject([{ id: 'x', reason: expect.stringContaining('title title-abc') }])
})
