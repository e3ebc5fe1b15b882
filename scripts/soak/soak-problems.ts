/**
 * What the figures of a soak mean: whether memory and speed at the end are the same as at the beginning.
 *
 * @module
 */

/** What was measured while one stretch of requests was sent. */
export interface SoakWindow {
  /** Requests since the start, at the end of the window. */
  requests: number
  perSecond: number
  /** CPU time of the server per request, in milliseconds. Undefined if the system does not tell. */
  cpuPerRequest: number | undefined
  /** Median of the resident memory, in bytes. */
  resident: number
}

export interface HeldHeap {
  /** Bytes on the heap after a full garbage collection, where the comparison begins. */
  before: number
  after: number
}

/** Requests after which caches are full and code is compiled: what comes before is not compared. */
export const warmUp = 100_000

/** Share by which memory may grow, and speed fall. */
export const tolerance = 0.1

/** Windows at either end whose median is compared. One alone may have met a busy moment of the machine. */
const compared = 3

/**
 * Compares the windows from the warm-up on (that which ends with it is the first) with the last ones, by medians. Where
 * the CPU time per request is known, fewer requests in a second count only if each also took more of it: otherwise the
 * machine had other work, and the server did not become slower.
 *
 * @param from requests of the warm-up
 * @returns what is wrong, a sentence each; empty when nothing is
 */
export function soakProblems(windows: readonly SoakWindow[], heap: HeldHeap, from = warmUp): string[] {
  const warm = windows.filter(({ requests }) => requests >= from)
  if (warm.length < 2) return [`There is nothing to compare: send more than ${from} requests.`]
  const size = Math.min(compared, Math.floor(warm.length / 2))
  const [first, last] = [warm.slice(0, size), warm.slice(-size)]
  const grown = (of: (window: SoakWindow) => number) => middle(last.map(of)) / middle(first.map(of)) - 1
  const problems: string[] = []
  const resident = grown((window) => window.resident)
  if (resident > tolerance) problems.push(`Resident memory grew by ${percent(resident)}.`)
  const held = heap.after / heap.before - 1
  if (held > tolerance) problems.push(`The heap after a garbage collection grew by ${percent(held)}.`)
  const fall = -grown((window) => window.perSecond)
  const costlier = grown((window) => window.cpuPerRequest ?? Number.NaN)
  if (fall > tolerance && !(costlier <= tolerance))
    problems.push(
      `Requests per second fell by ${percent(fall)}${Number.isNaN(costlier) ? '' : `, and each took ${percent(costlier)} more CPU time`}.`,
    )
  return problems
}

export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
