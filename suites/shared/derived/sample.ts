/**
 * The order in which a run takes the cases: by its seed, so that several runs together see all of them. Pure.
 *
 * @module
 */

import { hashOf } from '../../../harness/support/hash.ts'

/** The items in an order that follows from the seed, in groups of a size; the last one may be smaller. */
export function sampleGroups<T extends { title: string }>(
  items: readonly T[],
  { seed, size }: { seed: number; size: number },
): T[][] {
  const ordered = items
    .map((item) => ({ item, at: hashOf(seed, item.title) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
  return Array.from({ length: Math.ceil(ordered.length / size) }, (_, at) =>
    ordered.slice(at * size, (at + 1) * size),
  )
}
