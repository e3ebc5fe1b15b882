import { expect, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { BoundedHeap } from './bounded-heap.ts'

const ascending = (a: number, b: number) => a - b

test('holds the least of what was offered', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.nat({ max: 60 }), (offered, wanted) => {
      const least = new BoundedHeap(wanted, ascending)
      for (const item of offered) least.offer(item)
      expect([...least.items].sort(ascending)).toEqual([...offered].sort(ascending).slice(0, wanted))
    }),
  )
})

test('compares what cannot be among them once', () => {
  let compared = 0
  const least = new BoundedHeap<number>(10, (a, b) => {
    compared += 1
    return a - b
  })
  for (let item = 0; item < 10; item += 1) least.offer(item)
  least.offer(10)
  compared = 0
  for (let item = 100; item < 200; item += 1) least.offer(item)
  expect(compared).toBe(100)
})

test('never holds more items than its limit', () => {
  const least = new BoundedHeap<number>(10, ascending)
  for (let item = 1000; item > 0; item -= 1) {
    least.offer(item)
    expect(least.size).toBeLessThanOrEqual(10)
  }
})
