import { expect, it } from 'vitest'
import { createClock, createEnvironment } from './environment.ts'

it('repeats with a seed, and never without', () => {
  const ids = (seed?: number) => {
    const environment = createEnvironment({ clock: createClock(), ...(seed !== undefined && { seed }) })
    return [environment.newId(), environment.newId()]
  }
  expect(ids(5)).toEqual(ids(5))
  expect(ids(5)).not.toEqual(ids(6))
  expect(ids()).not.toEqual(ids())
  expect(ids(5)[0]).toMatch(/^[a-z0-9]{15}$/)
})

it('draws every letter about equally often', () => {
  const environment = createEnvironment({ clock: createClock(), seed: 3 })
  const counts = new Map<string, number>()
  for (const letter of environment.random('abcde', 50_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})

it.each<[number | string, number]>([
  [50, 50],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['-2 d', -172_800_000],
])('advances by %j', (span, milliseconds) => {
  const clock = createClock()
  clock.freeze(1_000_000)
  clock.advance(span)
  expect(clock.now()).toBe(1_000_000 + milliseconds)
})

it.each([Number.NaN, '10', '10 minutes', ''])('does not advance by %j', (span) => {
  expect(() => createClock().advance(span)).toThrow('milliseconds, or a string such as 90s, 15m, 2h or 1d')
})

it('advances, freezes and runs on from there', () => {
  let system = 1000
  const clock = createClock(() => system)
  clock.advance(50)
  expect(clock.now()).toBe(1050)
  clock.freeze()
  system = 5000
  expect(clock.now()).toBe(1050)
  clock.advance(10)
  const fork = clock.fork()
  clock.unfreeze()
  system = 5005
  expect([clock.now(), fork.now()]).toEqual([1065, 1060])
  clock.set('2030-01-01T00:00:00Z')
  expect(clock.now()).toBe(Date.UTC(2030, 0, 1))
})
