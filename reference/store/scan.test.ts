import { expect, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { orderedMap } from './ordered-map.ts'
import { keyAt, Scan } from './scan.ts'

test('returns every value once, in key order, from any position', () => {
  const keys = fc.uniqueArray(fc.integer(), { maxLength: 5000, size: 'max' })
  fc.assert(
    fc.property(keys, fc.nat(5100), (given, skip) => {
      const map = orderedMap<number, string>()
      for (const key of given) map.set(key, `v${key}`)
      const sorted = given.toSorted((a, b) => a - b)
      expect([...new Scan(map, skip)]).toEqual(sorted.slice(skip).map((key) => `v${key}`))
      expect(keyAt(map, skip)).toBe(sorted[skip])
    }),
    { numRuns: 60 },
  )
})

test('shows the map as it was when it was cloned', () => {
  const map = orderedMap<number, number>()
  for (let key = 0; key < 3000; key += 1) map.set(key, key)
  const scan = new Scan(map.clone())
  const first = scan.next().value
  for (let key = 0; key < 3000; key += 2) map.delete(key)
  expect([first, ...scan]).toEqual(Array.from({ length: 3000 }, (_, key) => key))
})
