/**
 * How much evidence a run keeps: the exchanges of its findings stay in memory until the reports are written. Otherwise,
 * a server that violates everything with long responses would fill it.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { sizeOfMessage } from '../../exchange/size-of-message.ts'

export interface EvidenceLimits {
  /** Maximum characters of the exchanges of one finding. */
  finding: number
  /** Maximum characters of the exchanges of all findings in one session; a run has one session per worker. */
  run: number
}

/** Documented in docs/targets.md. */
const evidenceLimits: EvidenceLimits = { finding: 1_000_000, run: 20_000_000 }

export class Evidence {
  readonly #limits: EvidenceLimits
  #kept = 0

  constructor(limits: EvidenceLimits = evidenceLimits) {
    this.#limits = limits
  }

  /** The last of these exchanges that a finding may keep: the deciding one always, earlier ones as far as they fit. */
  take(exchanges: readonly Exchange[]): Exchange[] {
    const room = Math.min(this.#limits.finding, this.#limits.run - this.#kept)
    let size = 0
    let first = exchanges.length
    while (first > 0) {
      const next = sizeOf(exchanges[first - 1])
      if (first < exchanges.length && size + next > room) break
      size += next
      first -= 1
    }
    this.#kept += size
    return exchanges.slice(first)
  }
}

function sizeOf(exchange: Exchange | undefined): number {
  if (exchange === undefined) return 0
  const { request, response } = exchange
  const sent = request.url.length + (request.octets?.length ?? 0) + sizeOfMessage(request)
  return sent + (response === undefined ? 0 : sizeOfMessage(response))
}
