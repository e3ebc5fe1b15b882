import { expect, it } from 'vitest'
import { createReference } from '../reference.ts'

const fields = [
  { name: 'amount', type: 'number' },
  { name: 'done', type: 'bool' },
  { name: 'day', type: 'date' },
  { name: 'place', type: 'geoPoint' },
] as const
const seeded = (row: object) =>
  createReference({ tables: [{ name: 'posts', fields }], records: { posts: [row] as never } })

it.each([
  { amount: 1.5, done: true, day: '2030-01-31' },
  { amount: '1.5', done: 'true', day: new Date(0) },
  { amount: '', done: 0, day: '' },
  { amount: null, done: null, day: null },
  { created: '2030-01-31 12:00:00.000Z' },
  { place: { lon: 8.5, lat: 47.4 } },
  { place: '{"lon":8.5,"lat":47.4}' },
  { place: { lon: 0, lat: 0 } },
])('accepts %j', (row) => {
  expect(() => seeded(row)).not.toThrow()
})

it.each([
  [{ amount: 'abc' }, '"amount" of table "posts" must be a number, not "abc".'],
  [{ amount: ' 5 ' }, '"amount" of table "posts" must be a number, not " 5 ".'],
  [{ amount: [1] }, '"amount" of table "posts" must be a number, not [1].'],
  [{ done: 'maybe' }, '"done" of table "posts" must be true or false, not "maybe".'],
  [{ day: 'garbage' }, '"day" of table "posts" must be a date'],
  [{ day: '2030-02-31' }, '"day" of table "posts" must be a date'],
  [{ place: 'x' }, '"place" of table "posts" must be a point such as {"lon": 8.54, "lat": 47.37}, not "x".'],
  [{ place: { lon: '8.5', lat: 47.4 } }, '"place" of table "posts" must be a point'],
])('rejects %j in a seed, in make and in records', async (row, message) => {
  expect(() => seeded(row)).toThrow(message)
  const reference = seeded({ id: 'post00000000001' })
  await expect(reference.make('posts', 1, row as never)).rejects.toThrow(message)
  await expect(reference.records.create('posts', row as never)).rejects.toThrow(message)
  await expect(reference.records.update('posts', 'post00000000001', row as never)).rejects.toThrow(message)
  expect(reference.records.count('posts')).toBe(1)
})
