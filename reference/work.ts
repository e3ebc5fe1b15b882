/**
 * What one HTTP request has cost so far. Counting is an addition and a comparison, so that ordinary requests do not
 * notice it; where it ends is decided by steps and never by time, so that the same request always has the same answer.
 *
 * @module
 */

import { LimitExceeded } from './errors.ts'
import type { Limits } from './limits.ts'
import { elapsed, turn } from './timers.ts'

/** Milliseconds of work after which others have their turn. */
const stretch = 20
/** Steps that it takes to find the records related to one record, before any of them is looked at. */
export const LOOKUP = 4
/** Steps for each of them. */
export const RELATED = 3
/** Steps between two looks at the time. */
const unwatched = 5000

/** The cost of one request; the entries of a batch share one. */
export class Work {
  readonly #limits: Pick<Limits, 'steps' | 'stepsAtOnce'>
  #steps = 0
  /** Where `#steps` must not get to before this piece of work ends. */
  #end: number
  #nextLook = unwatched
  #since = elapsed()

  constructor(limits: Pick<Limits, 'steps' | 'stepsAtOnce'>) {
    this.#limits = limits
    this.#end = Math.min(limits.steps, limits.stepsAtOnce)
  }

  /** @throws ApiError 400 that says what to reduce */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#end) throw this.#tooMuch()
  }

  /**
   * Ends a piece of work: the next one may take `stepsAtOnce` again, whether or not this request rests in between. Time
   * decides when it rests, and must not decide what it may do.
   *
   * @returns whether others have waited long enough, so that `rest` is due
   */
  endPiece(): boolean {
    this.#end = Math.min(this.#limits.steps, this.#steps + this.#limits.stepsAtOnce)
    if (this.#steps < this.#nextLook) return false
    this.#nextLook = this.#steps + unwatched
    return this.#late
  }

  /** The same where a piece is long although it takes few steps: the time is looked at after each. */
  endLongPiece(): boolean {
    this.#nextLook = 0
    return this.endPiece()
  }

  /** Lets everything else that waits have its turn. */
  async rest(): Promise<void> {
    await turn()
    this.#since = elapsed()
  }

  get #late(): boolean {
    return elapsed() - this.#since > stretch
  }

  #tooMuch(): Error {
    const { steps } = this.#limits
    return this.#steps > steps
      ? new LimitExceeded(
          `The request takes more than ${steps} steps: use fewer comparisons, relations or records, or shorter strings.`,
        )
      : new LimitExceeded(
          `One record takes more than ${this.#limits.stepsAtOnce} steps: use fewer relations in a row, or shorter strings.`,
        )
  }
}

/** Steps that a look at a value costs on top of the comparison: strings take longer the longer they are. */
export function lengthSteps(value: unknown): number {
  return typeof value === 'string' ? value.length >> 6 : 0
}

/** The same of a JSON value, whose string has to be made first. */
export function jsonSteps(value: unknown): number {
  return typeof value === 'string' ? 4 + (value.length >> 4) : 0
}
