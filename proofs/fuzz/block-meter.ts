/**
 * How long the event loop of this thread was kept at once, in CPU time: work that takes turns with other work is as
 * many blocks as it takes turns.
 *
 * @module
 */

import { threadCpuClock } from './cpu-clock.ts'

/** @returns what ends the measurement, and gives the longest block since in milliseconds */
export function startBlockMeter(): () => number {
  const cpu = threadCpuClock()
  let longest = 0
  let last = cpu()
  let going = true
  const mark = () => {
    const now = cpu()
    longest = Math.max(longest, now - last)
    last = now
  }
  const tick = () => {
    mark()
    if (going) setImmediate(tick)
  }
  setImmediate(tick)
  return () => {
    mark()
    going = false
    return longest
  }
}
