/**
 * Long work without an end of its own, such as loading many records: the same code runs synchronously if the caller cannot
 * wait, and with other requests in between if it can.
 *
 * @module
 */

import { defaultLimits } from './limits.ts'
import { Work } from './work.ts'

/** Work in pieces: it yields after each of them. */
export type Pieces<Result> = Generator<undefined, Result>

/** Does all pieces without a pause. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}

/**
 * Does the pieces in slices, and lets everything else that is waiting run between them.
 *
 * @param beforeEach called before each piece: what it throws ends the work
 */
export async function inTurns<Result>(
  pieces: Pieces<Result>,
  beforeEach: () => void = () => {},
): Promise<Result> {
  // Only its clock is needed: no steps are counted.
  const work = new Work(defaultLimits)
  for (;;) {
    beforeEach()
    const { done, value } = pieces.next()
    if (done) return value
    if (work.endLongPiece()) await work.rest()
  }
}
