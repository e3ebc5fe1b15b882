/**
 * Keeps exchanges, redacted at birth. Whoever wants the exchanges of a stretch of time opens a scope.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { longestShown } from '../../exchange/exchange.ts'
import type { Redactor } from '../../exchange/secrets/redact.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

const mostKept = 200

/** One request with its response as it was on the wire. Lives no longer than this call. */
export interface RawExchange {
  operation?: OperationId
  actor: string
  method: string
  url: string
  requestHeaders: Record<string, string>
  requestBody: string
  requestBytes: number
  /** The body where `requestBody` only sums it up. */
  requestOctets?: Uint8Array
  response?: { status: number; headers: Record<string, string>; body: string; bytes: number }
  ms: number
}

export interface Scope {
  readonly exchanges: Exchange[]
  /** How many exchanges there were, those no longer kept included. */
  requests: number
  /** How many of them were sent since the scope was opened; the others were recalled. */
  sent: number
  close(): void
}

export class Recorder {
  readonly #redactor: Redactor
  readonly #scopes = new Set<Scope>()
  #silent = 0
  /** Requests since the session began. */
  requests = 0
  /** Whatever was recorded last, in a scope or in none. */
  last: Exchange | undefined

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  record(raw: RawExchange): Exchange {
    const redactor = this.#redactor
    const request = {
      method: raw.method,
      url: redactor.url(raw.url),
      headers: redactor.headers(raw.requestHeaders, raw.actor),
      body: cut(redactor.body(raw.requestBody, 'request')),
      bytes: raw.requestBytes,
      ...(raw.requestOctets !== undefined && raw.requestOctets.byteLength <= longestShown
        ? { octets: redactor.octets(raw.requestOctets) }
        : {}),
    }
    const exchange: Exchange = {
      number: ++this.requests,
      actor: raw.actor,
      request,
      ms: Math.round(raw.ms * 100) / 100,
    }
    if (raw.operation !== undefined) exchange.operation = raw.operation
    if (raw.response !== undefined) {
      const { status, headers, body, bytes } = raw.response
      exchange.response = {
        status,
        headers: redactor.headers(headers, raw.actor),
        body: cut(redactor.body(body, 'response')),
        bytes,
      }
    }
    this.last = exchange
    if (this.#silent === 0) {
      for (const scope of this.#scopes) {
        scope.sent += 1
        add(scope, exchange)
      }
    }
    return exchange
  }

  /**
   * What was sent for an earlier check, and the open scopes build on: without it nobody could see again what they find.
   * A scope that has it already does not get it twice.
   */
  recall(exchanges: readonly Exchange[]): void {
    for (const scope of this.#scopes) {
      const known = new Set(scope.exchanges)
      for (const exchange of exchanges) if (!known.has(exchange)) add(scope, exchange)
    }
  }

  /** Collects what is recorded until it is closed. Scopes may nest. */
  open(): Scope {
    const scope: Scope = {
      exchanges: [],
      requests: 0,
      sent: 0,
      close: () => void this.#scopes.delete(scope),
    }
    this.#scopes.add(scope)
    return scope
  }

  /** What `work` sends belongs to no scope: sign-in, clean-up. It is counted and judged all the same. */
  async silently<T>(work: () => Promise<T>): Promise<T> {
    this.#silent += 1
    try {
      return await work()
    } finally {
      this.#silent -= 1
    }
  }
}

function add(scope: Scope, exchange: Exchange): void {
  scope.requests += 1
  scope.exchanges.push(exchange)
  if (scope.exchanges.length > mostKept) scope.exchanges.shift()
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
