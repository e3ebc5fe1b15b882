/**
 * What one HTTP request has cost so far. Counting is an addition and a comparison, so ordinary requests are not slower.
 * The limit is a number of steps and never a time, so the same request always has the same response.
 *
 * @module
 */

import { elapsed, turn } from '../environment/timers.ts'
import { LimitExceeded } from '../errors.ts'
import type { Limits } from './limits.ts'

/** Milliseconds of work after which other requests can run. */
const stretch = 20
/** Steps to find the records related to one record, before any of them is read. */
export const LOOKUP = 4
/** Steps for each related record. */
export const RELATED = 3
/** Steps between two checks of the time. */
const unwatched = 5000

/** The cost of one request; the entries of a batch share one. */
export class Work {
  readonly #limits: Pick<Limits, 'steps' | 'stepsAtOnce'>
  #steps = 0
  /** The value of `#steps` at which this piece of work exceeds its limit. */
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
   * Ends a piece of work. The next one may take `stepsAtOnce` again, whether or not this request pauses in between:
   * time decides when a request pauses, but not how much it may do.
   *
   * @returns whether other requests have waited long enough, so that `rest` is due
   */
  endPiece(): boolean {
    this.#end = Math.min(this.#limits.steps, this.#steps + this.#limits.stepsAtOnce)
    if (this.#steps < this.#nextLook) return false
    this.#nextLook = this.#steps + unwatched
    return this.#late
  }

  /** The same for a piece that is long although it takes few steps: the time is checked after each piece. */
  endLongPiece(): boolean {
    this.#nextLook = 0
    return this.endPiece()
  }

  /** Lets everything else that is waiting run. */
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

/** Steps to read a value, in addition to the comparison: longer strings take more. */
export function lengthSteps(value: unknown): number {
  return typeof value === 'string' ? value.length >> 6 : 0
}

/** The same for a JSON value, whose string has to be built first. */
export function jsonSteps(value: unknown): number {
  return typeof value === 'string' ? 4 + (value.length >> 4) : 0
}
