import { afterEach, expect, it, vi } from 'vitest'
import { slowness } from './slowness.ts'

afterEach(() => vi.restoreAllMocks())

/** Makes the process report that its pieces of work took so many milliseconds. */
function taking(times: number[]): void {
  const left = times.map((ms) => ({ user: ms * 900, system: ms * 100 }))
  const none = { user: 0, system: 0 }
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => (before && left.shift()) ?? none)
}

it('slowness is how many times as long the best of three takes', () => {
  taking([46, 23, 34])
  expect(slowness()).toBeCloseTo(2)
})

it('slowness is never below 1, so that a fast machine keeps its limits', () => {
  taking([9, 8, 7])
  expect(slowness()).toBe(1)
})

it('uses nothing outside itself', () => {
  const elsewhere = new Function(`return (${slowness})()`)
  taking([34.5, 34.5, 34.5])
  expect(elsewhere()).toBeCloseTo(3)
})

it('measures work that no compiler leaves out', () => {
  const before = process.cpuUsage()
  for (let call = 0; call < 3; call++) expect(slowness()).toBeGreaterThanOrEqual(1)
  const { user, system } = process.cpuUsage(before)
  // Nine turns of five million steps: no processor takes less than a nanosecond for one.
  expect((user + system) / 1_000).toBeGreaterThan(45)
})
