/**
 * Whether `npm run test:full` runs the tests: all cases of what `npm test` runs a part of, and the limits of time that
 * only a quiet machine keeps.
 */
export const inFull = process.env.CONFORMANCE_TEST_FULL === '1'

/**
 * For `filter`: whether a case is one of the sample. `npm run test:full` runs all of them.
 *
 * @param every one of so many cases
 * @param from index of the first
 */
export function inSample(every: number, from = 0): (_: unknown, at: number) => boolean {
  return (_, at) => inFull || at % every === from
}
