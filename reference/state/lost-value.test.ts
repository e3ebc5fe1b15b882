import { expect, it } from 'vitest'
import { createReference } from '../reference.ts'

const fields = [
  { name: 'amount', type: 'number' },
  { name: 'done', type: 'bool' },
  { name: 'day', type: 'date' },
] as const
const seeded = (row: object) =>
  createReference({ tables: [{ name: 'posts', fields }], records: { posts: [row] as never } })

it.each([
  { amount: 1.5, done: true, day: '2030-01-31' },
  { amount: '1.5', done: 'true', day: new Date(0) },
  { amount: '', done: 0, day: '' },
  { amount: null, done: null, day: null },
  { created: '2030-01-31 12:00:00.000Z' },
])('accepts %j', (row) => {
  expect(() => seeded(row)).not.toThrow()
})

it.each([
  [{ amount: 'abc' }, '"amount" of table "posts" must be a number, not "abc".'],
  [{ amount: ' 5 ' }, '"amount" of table "posts" must be a number, not " 5 ".'],
  [{ amount: [1] }, '"amount" of table "posts" must be a number, not [1].'],
  [{ done: 'maybe' }, '"done" of table "posts" must be true or false, not "maybe".'],
  [{ day: 'garbage' }, '"day" of table "posts" must be a date'],
])('rejects %j', (row, message) => {
  expect(() => seeded(row)).toThrow(message)
})
