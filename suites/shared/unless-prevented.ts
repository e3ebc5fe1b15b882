/**
 * What a check needs but does not judge. A rate limit says nothing about the target, and neither does a broken connection
 * that may hold the next time: the part that it ends would be missing from a check that passes, so both are thrown.
 *
 * @module
 */

import {
  BlockedError,
  BrokenConnectionError,
  ExpectationError,
  RateLimitedError,
  UntestableError,
} from '../../harness/judging/expect.ts'

/** What `make` makes; undefined if it cannot, which is the finding of another check. */
export function unlessPrevented<T>(make: () => Promise<T>): Promise<T | undefined> {
  return unless(isPrevention, make)
}

/** The same, only for what the tester's side lacks. What the target does wrong is thrown. */
export function unlessUntestable<T>(make: () => Promise<T>): Promise<T | undefined> {
  return unless((error) => error instanceof UntestableError && isPrevention(error), make)
}

/** Whether the error is the finding of another check. */
export function isPrevention(error: unknown): boolean {
  if (error instanceof RateLimitedError) return false
  if (error instanceof BrokenConnectionError) return error.confirmed
  return [BlockedError, UntestableError, ExpectationError].some((kind) => error instanceof kind)
}

async function unless<T>(isExpected: (error: unknown) => boolean, make: () => Promise<T>) {
  try {
    return await make()
  } catch (error) {
    if (isExpected(error)) return undefined
    throw error
  }
}
