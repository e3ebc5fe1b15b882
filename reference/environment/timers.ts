/**
 * The system's clock and timers. Tests replace the global ones with fakes, and a reference that waited for a fake timer
 * would never continue. Those of jsdom are others than Node's.
 *
 * @module
 */

import { performance } from 'node:perf_hooks'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { foundValue } from '../../spec/kind-name.ts'

/** Milliseconds since the epoch by the system's clock, even if `Date` is replaced later. */
export const systemNow: () => number = Date.now.bind(Date)

/** Milliseconds of a monotonic clock, for durations. */
export const elapsed: () => number = performance.now.bind(performance)

/** Waits in real time. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Resolves after everything that is waiting now has run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

export const timers = { setTimeout, clearTimeout, setImmediate } as const

/** Milliseconds that a timer of Node can wait. */
export const longestDelay = 2 ** 31 - 1

/**
 * The time limit of a function that waits.
 *
 * @param given milliseconds. @default 1000
 * @param name of the function, for the message
 * @throws TypeError for anything that a timer cannot wait
 */
export function waitingTime(given: unknown = 1000, name: string): number {
  if (typeof given === 'number' && given >= 0 && given <= longestDelay) return given
  throw new TypeError(
    `The timeout of ${name} must be milliseconds, at most ${longestDelay}; found ${foundValue(given)}.`,
  )
}
