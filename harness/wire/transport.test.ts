import { expect, it } from 'vitest'
import { createTurns, secondsToWait } from './transport.ts'

it.each<[string | undefined, number]>([
  ['3', 3],
  ['0', 0],
  [' 2 ', 2],
  ['1.5', 1.5],
  ['Thu, 01 Jan 1970 00:01:05 GMT', 5],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', Number.NaN],
  ['-1', Number.NaN],
  ['', Number.NaN],
  ['1e3', Number.NaN],
  ['2001-01-05', Number.NaN],
  [undefined, Number.NaN],
])('Retry-After %s', (value, seconds) => {
  expect(secondsToWait(value, 60_000)).toBe(seconds)
})

it('spreads requests over the time', async () => {
  const turn = createTurns(100)
  const begin = performance.now()
  await Promise.all(Array.from({ length: 11 }, () => turn()))
  expect(performance.now() - begin).toBeGreaterThanOrEqual(95)
})

it('skips a turn that was given up', async () => {
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  const turn = createTurns(4)
  const stop = new AbortController()
  await turn()
  const waiting = Array.from({ length: 40 }, () => turn(stop.signal).catch(() => 'given up'))
  stop.abort()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given up']))
  const begin = performance.now()
  await turn()
  expect(performance.now() - begin).toBeLessThan(2_000)
  expect(warnings).toEqual([])
})
