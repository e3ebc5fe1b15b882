import { expect, test } from 'vitest'
import { Leftovers } from './leftovers.ts'

test('each record is reported once, with what kept it the last time, until a later attempt deletes it', () => {
  const leftovers = new Leftovers()
  leftovers.report({ table: 'notes', id: 'a' }, 'the delete returned 400')
  leftovers.report({ table: 'notes', id: 'b' }, 'the delete returned 400')
  leftovers.report({ table: 'notes', id: 'a' }, 'the delete returned 403')
  expect(leftovers.all.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
    'a: the delete returned 403',
    'b: the delete returned 400',
  ])
  leftovers.drop({ table: 'notes', id: 'a' })
  leftovers.drop({ table: 'notes', id: 'unheard' })
  expect([leftovers.has({ table: 'notes', id: 'a' }), leftovers.all.length]).toEqual([false, 1])
})

test('records without an id are counted one by one', () => {
  const leftovers = new Leftovers()
  for (let made = 0; made < 2; made += 1)
    leftovers.reportWithoutId('notes', 'the create response contained no id')
  leftovers.report({ table: 'notes', id: 'a' }, 'the delete returned 400')
  expect([leftovers.withoutId, leftovers.all.length]).toEqual([2, 3])
})

test('records that may exist are reported only for tables that show something new', async () => {
  const part = new Leftovers()
  part.mayExist('notes', 'there was no response')
  part.mayExist('users', 'there was no response')
  const run = new Leftovers()
  run.adopt(part)
  expect(run.all).toEqual([])
  await run.resolveMayExist(async (table) => table === 'notes')
  await part.resolveMayExist(async () => false)
  expect([run.all.map(({ table }) => table), part.all]).toEqual([['users'], []])
})
