/**
 * The requests of a check outside its properties: a counterexample cannot be reproduced without them.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { RecordingScope } from '../wire/recorder.ts'

export class OutsideProperties {
  readonly #scope: RecordingScope
  #counted = 0
  readonly exchanges: Exchange[] = []
  /** Number of requests that the scope dropped. */
  lost = 0

  constructor(scope: RecordingScope) {
    this.#scope = scope
  }

  /** Call it when a property begins. */
  take(): void {
    const fresh = this.#scope.requests - this.#counted
    const kept = fresh === 0 ? [] : this.#scope.exchanges.slice(-fresh)
    this.exchanges.push(...kept)
    this.lost += fresh - kept.length
  }

  /** Call it when a property ends: no other one needs the requests of its examples. */
  skip(): void {
    this.#counted = this.#scope.requests
  }
}
