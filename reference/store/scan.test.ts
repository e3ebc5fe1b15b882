import { expect, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { orderedMap } from './ordered-map.ts'
import { kept, keyAt, Scan, valuesInPieces } from './scan.ts'

test('returns every value once, in key order, from any position', () => {
  const keys = fc.uniqueArray(fc.integer(), { maxLength: 5000, size: 'max' })
  fc.assert(
    fc.property(keys, fc.nat(5100), (given, skip) => {
      const map = orderedMap<number, string>()
      for (const key of given) map.set(key, `v${key}`)
      const sorted = given.toSorted((a, b) => a - b)
      expect([...valuesInPieces(map, skip)].flat()).toEqual(sorted.slice(skip).map((key) => `v${key}`))
      expect(keyAt(map, skip)).toBe(sorted[skip])
    }),
    { numRuns: 60 },
  )
})

test('shows the map as it was when it was cloned', () => {
  const map = orderedMap<number, number>()
  for (let key = 0; key < 3000; key += 1) map.set(key, key)
  const copy = map.clone()
  const seen: number[] = []
  for (const value of new Scan(() => valuesInPieces(copy))) {
    seen.push(value)
    map.delete(value)
  }
  expect(seen).toEqual(Array.from({ length: 3000 }, (_, key) => key))
})

test('takes an array as one piece, and anything else value by value', () => {
  const scan = new Scan(() => [[1, 2], [3]])
  expect([...Scan.piecesOf(scan)]).toEqual([[1, 2], [3]])
  expect([...Scan.piecesOf([1, 2, 3])]).toEqual([[1, 2, 3]])
  expect([...Scan.piecesOf(new Set([1, 2]))]).toEqual([[1], [2]])
})

test('keeps what was read to its end, and nothing else', () => {
  const found: (readonly number[])[] = []
  for (const each of kept([1, 2, 3], (all) => found.push(all))) if (each === 2) break
  expect(found).toEqual([])
  expect([...kept([1, 2, 3], (all) => found.push(all))]).toEqual([1, 2, 3])
  expect(found).toEqual([[1, 2, 3]])
})
