/**
 * The sort of a long list, cut into pieces: the server has one thread for all requests.
 *
 * @module
 */

import type { Work } from '../limits/work.ts'

/** Items that are sorted at once. */
const run = 256

/**
 * Sorts as `toSorted` does, but lets other requests run in between: sorts runs first, then merges two of them until one
 * is left.
 */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  work: Work,
): Promise<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += run) {
    if (work.endPiece()) await work.rest()
    runs.push(items.slice(at, at + run).sort(compare))
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right = []] = runs.slice(at, at + 2)
      merged.push(await merge(left, right, compare, work))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  work: Work,
): Promise<T[]> {
  const merged: T[] = []
  let [a, b] = [0, 0]
  while (a < left.length && b < right.length) {
    if (work.endPiece()) await work.rest()
    // The sort is stable: of equal items the left one comes first.
    if (compare(left[a] as T, right[b] as T) <= 0) merged.push(left[a++] as T)
    else merged.push(right[b++] as T)
  }
  for (; a < left.length; a += 1) merged.push(left[a] as T)
  for (; b < right.length; b += 1) merged.push(right[b] as T)
  return merged
}
