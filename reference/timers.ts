/**
 * The system's time and timers as they were when this module was loaded. Tests replace the global ones by fakes, and
 * a reference that waited for a fake timer would wait for ever.
 *
 * @module
 */

const { setTimeout, clearTimeout, setImmediate } = globalThis

/** Milliseconds since the epoch by the system's clock, whatever `Date` is replaced with later. */
export const systemNow: () => number = Date.now.bind(Date)

/** Milliseconds that only ever grow, for durations. */
export const elapsed: () => number = performance.now.bind(performance)

/** Waits in real time. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Resolves after everything that waits now has had its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

export const timers = { setTimeout, clearTimeout, setImmediate } as const
