import { ExpectationError, expectEqual } from '../../../harness/judging/expect.ts'

export type Direction = 'ascending' | 'descending'

/**
 * Expects values in order. A failure shows all of them as they came, and the first two in the wrong order: a list that is
 * not sorted at all and one that is sorted the other way look the same in one place.
 *
 * @param expected the same values in ascending order
 * @param what as in `the ranks`
 */
export function expectOrder(
  found: readonly unknown[],
  expected: readonly unknown[],
  direction: Direction,
  what: string,
): void {
  const ordered = direction === 'ascending' ? expected : expected.toReversed()
  const place = new Map<unknown, number>()
  for (const [at, value] of ordered.entries()) if (!place.has(value)) place.set(value, at)
  const placeOf = (at: number) => place.get(found[at]) ?? -1
  const wrong = found.findIndex((_, at) => at > 0 && placeOf(at) < placeOf(at - 1))
  const isSame = found.length === ordered.length && found.every((value) => place.has(value))
  // Of other values, which are missing or too many is what counts.
  if (wrong < 0 || !isSame) {
    expectEqual(found, ordered, `${what} in ${direction} order`)
    return
  }
  const [before, after] = [found[wrong - 1], found[wrong]].map((value) => JSON.stringify(value))
  throw new ExpectationError(
    `${what} are not in ${direction} order: ${before} comes before ${after}, in places ${wrong} and ${wrong + 1}`,
    JSON.stringify(ordered),
    JSON.stringify(found),
  )
}
