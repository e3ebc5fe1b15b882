/**
 * The requests that a session sends: those that look for tables before the checks, those of the checks, and those of the
 * clean-up.
 *
 * @module
 */

import { StoppedError } from '../errors.ts'

/** Requests by what they can do. */
export type SentKind = 'reads' | 'signIns' | 'writes'

export class RequestCount {
  readonly #most: number
  /** Each time that a request was sent. */
  requests = 0
  /** The same by kind, each counted once even if it was sent several times: a read-only run shows no writes. */
  readonly sent: Record<SentKind, number> = { reads: 0, signIns: 0, writes: 0 }

  /** @param most `--max-requests` */
  constructor(most: number = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** @throws StoppedError if as many requests were sent as may be sent */
  expectMore(): void {
    if (this.requests >= this.#most)
      throw new StoppedError(`the limit of ${this.#most} requests (--max-requests) was reached`)
  }

  /** A request that is about to be sent, and not recorded. @throws StoppedError as `expectMore` */
  add(kind: SentKind): void {
    this.expectMore()
    this.requests += 1
    this.sent[kind] += 1
  }
}
