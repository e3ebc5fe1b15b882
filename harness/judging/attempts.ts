/**
 * Repeats a check, or one example of a property, after a broken connection, and decides when the server is the cause. A
 * bad connection breaks anywhere; a server that drops a request drops it each time. docs/decisions/007.
 *
 * @module
 */

import { TargetLostError } from '../errors.ts'
import type { Course } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { BlockedError, BrokenConnectionError, ExpectationError, UntestableError } from './expect.ts'
import { PropertyFailure } from './property-failure.ts'

/** Number of runs that break at the same request before it counts as the server's failure. */
const mostAlike = 3
/** Number of runs that break at any request before the check counts as untestable. */
const mostRuns = 5

/** Signals another run. */
export const again = Symbol('again')

export class Attempts {
  readonly #session: Pick<Wire & Course, 'connections' | 'died'>
  readonly #what: string
  readonly #broken = new Map<string, number>()
  #sentBefore = 0
  #repeatedBefore = 0
  /** Number of runs so far, including the current one. */
  runs = 0

  /** @param what name for the report: `the check`, `an example` */
  constructor(session: Pick<Wire & Course, 'connections' | 'died'>, what: string) {
    this.#session = session
    this.#what = what
  }

  /** Call it when a run begins. */
  begin(): void {
    const { connections } = this.#session
    this.runs += 1
    this.#sentBefore = connections.sent
    this.#repeatedBefore = connections.repeatedWrites
  }

  /**
   * Call it when a run has ended in an error.
   *
   * @returns `again`, or the final error
   */
  outcome(error: unknown): unknown {
    const { connections } = this.#session
    if (this.#session.died || error instanceof TargetLostError) return error
    const cause = error instanceof PropertyFailure ? error.failure : error
    if (cause instanceof BrokenConnectionError) {
      if (cause.confirmed) return error
      const position = cause.position - this.#sentBefore
      const place = `${position} ${cause.kind}`
      const alike = (this.#broken.get(place) ?? 0) + 1
      this.#broken.set(place, alike)
      if (alike >= mostAlike) {
        connections.dropped.add(cause.kind)
        return cause.confirm(`in each of ${alike} runs`)
      }
      if (this.runs >= mostRuns)
        return new UntestableError(
          `the connection broke in each of ${this.runs} runs, at a different request each time; the last one: ${cause.message}`,
          'use a more reliable connection',
        )
      return this.#runAgain(`${cause.words} at request ${position} (${cause.request})`)
    }
    const failed =
      cause instanceof ExpectationError || cause instanceof BlockedError || error instanceof PropertyFailure
    // A request that was sent twice may have been executed twice: such a failure counts only if it happens again.
    if (failed && connections.repeatedWrites > this.#repeatedBefore && this.runs < mostAlike)
      return this.#runAgain('a request was sent twice because its connection broke')
    return error
  }

  #runAgain(reason: string): typeof again {
    const { connections } = this.#session
    connections.runAgain += 1
    connections.reasons.push(`${this.#what} was run again: ${reason}`)
    return again
  }

  /** The result is final: requests that were sent twice for it do not affect what follows. */
  settle(): void {
    this.#session.connections.repeatedWrites = this.#repeatedBefore
  }
}
