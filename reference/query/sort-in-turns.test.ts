import { expect, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import { sortInTurns } from './sort-in-turns.ts'

test('sorts as a stable sort does', async () => {
  const items = fc.array(fc.record({ key: fc.nat({ max: 20 }), at: fc.nat() }), {
    size: 'max',
    maxLength: 5000,
  })
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
      expect(await sortInTurns(given, compare, new Work(defaultLimits))).toEqual([...given].sort(compare))
    }),
    { numRuns: 20 },
  )
})

test('lets other work run in between', async () => {
  const items = Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 20_000)
  const work = new Work(defaultLimits)
  let turns = 0
  const look = () => {
    turns += 1
    timer = setImmediate(look)
  }
  let timer = setImmediate(look)
  const slowly = (a: number, b: number) => {
    work.spend(1)
    const until = performance.now() + 0.001
    while (performance.now() < until);
    return a - b
  }
  const sorted = await sortInTurns(items, slowly, work)
  clearImmediate(timer)
  expect(sorted).toEqual(items.map((_, at) => at))
  expect(turns).toBeGreaterThan(2)
})
