/** The shorter way of a clean-up, where a target offers one. */

import { expect, test } from 'vitest'
import { type CleanupEntry, CleanupRegistry, type DeleteAll } from './cleanup-registry.ts'

const ours = {
  standing: async () => 'ours' as const,
  remove: async () => ({ status: 204, reason: '' }),
}

/** A registry with three records and a key, what was deleted in which way, and what was written to its journal. */
function filled(deleteAll?: DeleteAll) {
  const single: string[] = []
  const notes: string[] = []
  const cleanup = new CleanupRegistry({
    note: (entry) => void notes.push(`${entry.event} ${entry.table}`),
    deleteAll,
  })
  for (const [table, id] of [
    ['parents', 'a'],
    ['API keys', 'k'],
    ['children', 'b'],
    ['children', 'c'],
  ] as const)
    cleanup.add({
      table,
      id,
      ...(table === 'API keys' ? {} : { standing: async () => 'ours' as const }),
      async remove() {
        single.push(id)
        return id === 'b' ? { status: 400, reason: 'it is held' } : { status: 204, reason: '' }
      },
    })
  return { cleanup, single, notes }
}

test('records are deleted in one call, the youngest first, and nothing but records', async () => {
  const asked: (readonly { table: string; id: string }[])[] = []
  const { cleanup, single, notes } = filled(async (records) => asked.push(records))
  const mark = cleanup.mark()
  cleanup.add({ ...ours, table: 'parents', id: 'd' })
  await cleanup.cleanTo(mark)
  await cleanup.cleanTo(0)
  await cleanup.cleanTo(0)
  expect(asked).toEqual([
    [{ table: 'parents', id: 'd' }],
    [
      { table: 'children', id: 'c' },
      { table: 'children', id: 'b' },
      { table: 'parents', id: 'a' },
    ],
  ])
  expect(single).toEqual(['k'])
  expect(cleanup.leftovers.all).toEqual([])
  expect(notes.filter((note) => note.startsWith('gone'))).toHaveLength(5)
})

test('if deleteAll fails, each record is deleted individually from then on, and what remains is reported', async () => {
  let asked = 0
  const { cleanup, single } = filled(async () => {
    asked += 1
    throw new Error('nobody is there')
  })
  await cleanup.cleanTo(0)
  cleanup.add({ ...ours, table: 'parents', id: 'd' })
  await cleanup.cleanTo(0)
  expect(asked).toBe(1)
  expect(single).toEqual(['c', 'b', 'k', 'a', 'b'])
  expect(cleanup.leftovers.all).toEqual([
    { table: 'children', id: 'b', reason: 'the delete returned 400: it is held; nobody is there' },
  ])
})

test('without deleteAll, each record is deleted individually', async () => {
  const { cleanup, single } = filled()
  await cleanup.cleanTo(0)
  expect(single).toEqual(['c', 'b', 'k', 'a', 'b'])
})

test('what is still shown is deleted again, before the actor that sees it is gone', async () => {
  const events: string[] = []
  const cleanup = new CleanupRegistry()
  const add = (id: string, removals: { status: number; shown?: boolean }[]) =>
    cleanup.add({
      table: 'notes',
      id,
      standing: async () => 'ours',
      async remove() {
        events.push(id)
        return { reason: '', ...(removals.shift() ?? { status: 404 }) }
      },
    })
  add('account', [{ status: 204 }])
  add('stubborn', [
    { status: 204, shown: true },
    { status: 204, shown: true },
  ])
  add('second', [{ status: 204, shown: true }, { status: 204 }])
  await cleanup.cleanTo(0)
  expect(events).toEqual(['second', 'second', 'stubborn', 'stubborn', 'account', 'stubborn'])
  // The 404 of the last attempt says nothing: the account that saw it is gone.
  expect(cleanup.leftovers.all.map(({ id }) => id)).toEqual(['stubborn'])
})

test('what a response says is deleted is looked for if it is in doubt', async () => {
  const removed: string[] = []
  const cleanup = new CleanupRegistry()
  for (const [id, there] of [
    ['gone', false],
    ['kept', true],
  ] as const)
    cleanup.add({
      table: 'notes',
      id,
      standing: async () => 'ours',
      remains: async () => there,
      async remove() {
        removed.push(id)
        return { status: 204, reason: '' }
      },
    })
  cleanup.verifyDeletedLater('notes', 'gone')
  cleanup.verifyDeletedLater('notes', 'kept')
  await cleanup.cleanTo(0)
  expect(removed).toEqual(['kept'])
  expect(cleanup.leftovers.all).toEqual([])
})

test('a record whose id may be wrong is reported with what was sent', async () => {
  const cleanup = new CleanupRegistry()
  const intent = cleanup.intend({ table: 'notes', field: 'title', value: 'title-abc' })
  cleanup.add({
    ...ours,
    table: 'notes',
    id: 'x',
    intent,
    standing: async () => ({ unknown: 'no view shows it' }),
  })
  await cleanup.cleanTo(0)
  expect(cleanup.leftovers.all).toMatchObject([
    { id: 'x', reason: expect.stringContaining('title title-abc') },
  ])
})

test('a record that is gone after all does not remain', async () => {
  const cleanup = new CleanupRegistry()
  const statuses = [401, 401, 204, 410]
  const entry = {
    table: 'users',
    id: 'a',
    standing: async () => 'ours' as const,
    remove: async () => ({ status: statuses.shift() ?? 0, reason: 'not yet' }),
  }
  cleanup.add(entry)
  await cleanup.cleanTo(0)
  expect(cleanup.leftovers.all).toHaveLength(1)
  cleanup.add(entry)
  await cleanup.cleanTo(0)
  expect(cleanup.leftovers.all).toEqual([])
  cleanup.add({ ...entry, id: 'b' })
  await cleanup.cleanTo(0)
  expect([cleanup.leftovers.all, statuses]).toEqual([[], []])
})

test('a record whose delete is rejected does not remain if views no longer show it', async () => {
  const cleanup = new CleanupRegistry()
  const remove = async () => ({ status: 400, reason: 'Record not found' })
  for (const [id, gone] of [
    ['a', true],
    ['b', false],
  ] as const)
    cleanup.add({ ...ours, table: 'posts', id, remove, isGone: async () => gone })
  await cleanup.cleanTo(0)
  expect(cleanup.leftovers.all.map(({ id }) => id)).toEqual(['b'])
  expect(cleanup.gone).toBe(1)
})

test('an id that the server gives again settles the create of the record that had it', async () => {
  const cleanup = new CleanupRegistry()
  const [first, second] = ['first', 'second'].map((value) =>
    cleanup.intend({ table: 'notes', field: 'title', value }),
  )
  cleanup.add({ ...ours, table: 'notes', id: '5', intent: first })
  cleanup.verifyDeletedLater('notes', '5')
  cleanup.add({ ...ours, table: 'notes', id: '5', intent: second })
  expect(cleanup.pendingCreates).toEqual([second])
  // Named once more, by a create that is known to have made another record.
  cleanup.add({ ...ours, table: 'notes', id: '5' })
  await cleanup.cleanTo(0)
  expect([cleanup.pendingCreates, cleanup.leftovers.all]).toEqual([[], []])
})

/** A note whose delete succeeds, and is listed in `removed`. */
function removable(id: string, removed: string[]): CleanupEntry {
  return {
    table: 'notes',
    id,
    async remove() {
      removed.push(id)
      return { status: 204, reason: '' }
    },
  }
}

test('what cannot be written to the journal is deleted all the same', async () => {
  let written = 0
  const note = () => {
    written += 1
    if (written > 3) throw new Error('ENOSPC: no space left on device, write')
  }
  const cleanup = new CleanupRegistry({ note })
  const removed: string[] = []
  for (const id of ['a', 'b', 'c']) cleanup.add(removable(id, removed))
  expect(cleanup.journalError).toBeUndefined()
  await cleanup.cleanTo(0)
  expect([removed, cleanup.leftovers.all]).toEqual([['c', 'b', 'a'], []])
  expect(cleanup.journalError).toContain('ENOSPC')
  cleanup.settle(cleanup.intend({ table: 'notes', field: 'title', value: 'title-abc' }))
  // After a line that may be cut, nothing is written.
  expect(written).toBe(4)
  const first = new CleanupRegistry()
  first.adopt(cleanup)
  expect(first.journalError).toContain('ENOSPC')
})

test('what the clean-up itself needs is deleted after everything else', async () => {
  const removed: string[] = []
  const cleanup = new CleanupRegistry()
  const mark = cleanup.mark()
  const intent = cleanup.intend({ table: 'notes', field: 'title', value: 'title-abc' })
  cleanup.add({ ...removable('account', removed), intent })
  cleanup.keepToTheEnd(mark, 'notes')
  expect(cleanup.isKeptToTheEnd(intent)).toBe(true)
  expect([...cleanup.lastTables]).toEqual(['notes'])
  cleanup.add(removable('a', removed))
  await cleanup.cleanTo(0)
  await cleanup.cleanKept()
  expect(removed).toEqual(['a'])
  cleanup.add(removable('found later', removed))
  await cleanup.cleanTo(0)
  await cleanup.cleanLast()
  expect(removed).toEqual(['a', 'found later', 'account'])
  expect([cleanup.isKeptToTheEnd(intent), cleanup.pendingCreates]).toEqual([false, []])
})

test('a mark is a time: deleting or adding again what is older does not move it', async () => {
  const removed: string[] = []
  const cleanup = new CleanupRegistry()
  const add = (id: string) => cleanup.add(removable(id, removed))
  for (const id of ['a', 'b', 'c']) add(id)
  const mark = cleanup.mark()
  cleanup.markDeleted('notes', 'a')
  for (const id of ['d', 'e']) add(id)
  await cleanup.cleanTo(mark)
  expect(removed).toEqual(['e', 'd'])
  add('f')
  const shared = cleanup.mark()
  add('b')
  add('g')
  cleanup.keepFrom(shared)
  await cleanup.cleanTo(0)
  expect(removed).toEqual(['e', 'd', 'f', 'c'])
  await cleanup.cleanKept()
  expect(removed).toEqual(['e', 'd', 'f', 'c', 'g', 'b'])
})

test('in a table without deletes, each record is still looked at and tried', async () => {
  const cleanup = new CleanupRegistry()
  const tried: string[] = []
  const entry = (id: string, status: number, standing: CleanupEntry['standing'] = async () => 'ours') => ({
    table: 'notes',
    id,
    standing,
    onForeign: () => void tried.push(`${id} is another's`),
    async remove() {
      tried.push(id)
      return { status, reason: 'no' }
    },
  })
  for (let number = 0; number < 10; number += 1) cleanup.add(entry(`r${number}`, 405))
  await cleanup.cleanTo(0)
  expect(cleanup.isUndeletable('notes')).toBe(true)
  tried.length = 0
  cleanup.add(entry('foreign', 405, async () => ({ foreign: 'it existed before the run' })))
  cleanup.add(entry('gone', 405, async () => 'gone'))
  cleanup.add(entry('own', 204))
  cleanup.add(entry('left', 405))
  await cleanup.cleanTo(0)
  // One that could be deleted gives the others a second attempt again.
  expect(tried).toEqual(["foreign is another's", 'left', 'own', 'left'])
  expect(cleanup.isUndeletable('notes')).toBe(false)
  expect(cleanup.leftovers.all.map(({ id }) => id)).toEqual(
    [...Array(10).keys()].map((at) => `r${9 - at}`).concat('left'),
  )
})

test('once a record is deleted, nothing searches for an earlier one with the same id', async () => {
  const cleanup = new CleanupRegistry()
  const values = ['first', 'second', 'third']
  for (const value of values) {
    const intent = cleanup.intend({ table: 'users', field: 'email', value })
    cleanup.add({ ...ours, table: 'users', id: '5', intent, remains: async () => false })
    cleanup.verifyDeletedLater('users', '5')
  }
  await cleanup.cleanTo(0)
  expect(cleanup.pendingCreates).toEqual([])
})

test('a record with an id that another one has is searched for, unless that one is said to be deleted', async () => {
  const cleanup = new CleanupRegistry()
  const [first, second] = ['first', 'second'].map((value) =>
    cleanup.intend({ table: 'users', field: 'email', value }),
  )
  cleanup.add({ ...ours, table: 'users', id: '5', intent: first })
  cleanup.add({ ...ours, table: 'users', id: '5', intent: second })
  await cleanup.cleanTo(0)
  expect(cleanup.pendingCreates).toEqual([first])
})
