/**
 * Runs the examples of one property, each with its own requests and clean-up, and keeps what they showed.
 *
 * @module
 */

import fc from 'fast-check'
import type { Exchange } from '../../exchange/exchange.ts'
import { TargetLostError } from '../errors.ts'
import type { CleanUp, Course } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { Attempts, again } from './attempts.ts'
import { BlockedError, ExpectationError, UntestableError } from './expect.ts'

/** An example that violates the expectation, with its requests. */
export interface FailedExample {
  failure: ExpectationError
  exchanges: Exchange[]
  requests: number
}

export class PropertyExamples<T extends unknown[]> {
  readonly #session: Wire & CleanUp & Course
  readonly #signal: AbortSignal
  readonly #predicate: (...values: T) => Promise<void>
  readonly #end: number
  /** The one that failed last: during shrinking, the smallest one. */
  failed: FailedExample | undefined
  /** An error that is not a counterexample. Once there is one, no example runs. */
  stop: unknown

  /** @param timeLimit milliseconds in which an example may begin. Waiting for rate limits does not count */
  constructor(
    session: Wire & CleanUp & Course,
    signal: AbortSignal,
    predicate: (...values: T) => Promise<void>,
    timeLimit: number,
  ) {
    this.#session = session
    this.#signal = signal
    this.#predicate = predicate
    this.#end = this.#now() + timeLimit
  }

  /** Repeats an example from its start after a broken connection. What it created is deleted first. */
  async run(values: T): Promise<void> {
    const attempts = new Attempts(this.#session, 'an example')
    while ((await this.#attempt(values, attempts)) === again);
  }

  async #attempt(values: T, attempts: Attempts): Promise<typeof again | undefined> {
    const session = this.#session
    if (session.died) this.stop ??= new TargetLostError()
    const isOver = attempts.runs === 0 && this.#now() > this.#end
    if (this.stop !== undefined || this.#signal.aborted || isOver) throw new fc.PreconditionFailure(true)
    const scope = session.recorder.open()
    const mark = session.cleanup.mark()
    attempts.begin()
    try {
      await this.#predicate(...values)
      return undefined
    } catch (error) {
      const standing = attempts.outcome(error)
      if (standing === again) return again
      const { exchanges, requests } = scope
      if (standing instanceof ExpectationError)
        this.failed = { failure: standing, exchanges: [...exchanges], requests }
      else if (!(standing instanceof fc.PreconditionFailure)) {
        // Not a counterexample, so there is nothing to shrink: makes fast-check stop at once. One that was found before
        // stays: a smaller example that cannot be judged says nothing of it.
        if (this.failed === undefined || !isUnjudged(standing)) this.stop = standing
        throw new fc.PreconditionFailure(true)
      }
      throw standing
    } finally {
      attempts.settle()
      scope.close()
      await session.cleanup.cleanTo(mark)
    }
  }

  /** Waiting for the tester's `--rate` or the server's own rate limits does not count. */
  #now(): number {
    return performance.now() - this.#session.transport.waited()
  }
}

function isUnjudged(error: unknown): boolean {
  return error instanceof UntestableError || error instanceof BlockedError
}
