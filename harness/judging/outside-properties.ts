/**
 * What a check sends outside its properties: a counterexample cannot be seen again without it.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { RecordingScope } from '../wire/recorder.ts'

export class OutsideProperties {
  readonly #scope: RecordingScope
  #counted = 0
  readonly exchanges: Exchange[] = []
  /** Requests that the scope no longer kept. */
  lost = 0

  constructor(scope: RecordingScope) {
    this.#scope = scope
  }

  /** A property begins. */
  take(): void {
    const fresh = this.#scope.requests - this.#counted
    const kept = fresh === 0 ? [] : this.#scope.exchanges.slice(-fresh)
    this.exchanges.push(...kept)
    this.lost += fresh - kept.length
  }

  /** It ends: what its examples sent is nothing that another one needs. */
  skip(): void {
    this.#counted = this.#scope.requests
  }
}
