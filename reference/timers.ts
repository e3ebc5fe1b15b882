/**
 * The system's clock and timers as they were when this module was loaded. Tests replace the global ones with fakes, and
 * a reference that waited for a fake timer would wait for ever.
 *
 * @module
 */

const { setTimeout, clearTimeout, setImmediate } = globalThis

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
