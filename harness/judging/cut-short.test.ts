/** Properties that the time limit ends before all examples have run. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkBench, plain } from '../../test/support/check-bench.ts'
import type { CheckContext } from '../vocabulary/check.ts'
import { expectThat } from './expect.ts'

const bench = checkBench()
const { records, run, start } = bench

/** Milliseconds: more than all examples take together, apart from the slow one. */
const timeLimit = 60_000
/** Milliseconds that the clock is ahead. */
let ahead = 0
beforeEach(() => {
  ahead = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
})
afterEach(() => void vi.restoreAllMocks())

/** A property whose example number `slow` exceeds the time limit for all of them. */
function slowAt(slow: number, fails = false) {
  let examples = 0
  return {
    body: ({ property, make, unique }: CheckContext) =>
      property(
        [fc.nat()],
        async (_number) => {
          examples += 1
          if (examples === slow) ahead += timeLimit
          await make(plain, { title: unique('title') })
          expectThat(!fails, 'it fails', 'anything else')
        },
        { timeLimit },
      ),
    ran: () => examples,
  }
}

it('a property is untestable below five examples, and says how many ran', async () => {
  const { body, ran } = slowAt(1)
  const { finding } = await run('a.must', body)
  expect(finding).toMatchObject({
    status: 'untestable',
    message: 'only 1 of 25 examples ran within the time limit, and a verdict needs 5',
    examples: { run: 1, of: 25 },
  })
  expect(finding?.hint).toContain('--runs')
  // The current example has finished, and its record is deleted.
  expect([ran(), records.size]).toEqual([1, 0])
})

it('a property passes from five examples on, and says how many ran', async () => {
  const { finding } = await run('a.must', slowAt(5).body)
  expect(finding).toMatchObject({ status: 'pass', message: '', examples: { run: 5, of: 25 } })
})

it('a property needs no more examples than --runs requests', async () => {
  await start({ runs: 0.08 })
  const whole = await run('a.must', slowAt(2).body)
  expect([whole.finding?.status, whole.finding?.examples]).toEqual(['pass', undefined])
  const cut = await run('a.must', slowAt(1).body)
  expect([cut.finding?.status, cut.finding?.examples]).toEqual(['untestable', { run: 1, of: 2 }])
})

it('a property fails with what it found in time', async () => {
  const { finding } = await run('a.must', slowAt(1, true).body)
  expect([finding?.status, finding?.examples]).toEqual(['fail', undefined])
})

it('the examples of several properties of a check are added up', async () => {
  const { finding } = await run('a.must', async (context) => {
    await slowAt(6).body(context)
    await slowAt(7).body(context)
  })
  expect([finding?.status, finding?.examples]).toEqual(['pass', { run: 13, of: 50 }])
})

it('waiting for a rate limit does not cut a property short', async () => {
  await start({ rate: 4 })
  const { finding } = await run('a.must', ({ property, api }) =>
    property([fc.nat()], async (_number) => void (await api.list(plain)), { runs: 12, timeLimit: 2_000 }),
  )
  expect([finding?.status, finding?.examples]).toEqual(['pass', undefined])
})

it('a property begins with the given examples, which count as runs and are replayed', async () => {
  const seen: number[] = []
  const body = ({ property }: CheckContext) =>
    property(
      [fc.nat({ max: 99 })],
      async (number) => {
        seen.push(number)
        expectThat(number < 20, 'a number of two digits', 'anything else')
      },
      { runs: 6, examples: [[3], [57]] },
    )
  const { finding } = await run('a.must', body)
  expect(seen.slice(0, 2)).toEqual([3, 57])
  expect(finding?.replay?.example).toMatch(/^\[20\]/)
  seen.length = 0
  await run('a.must', body, { path: finding?.replay?.path ?? '' })
  expect(seen).toEqual([20])
})
