/**
 * Records exchanges. Secrets are replaced before an exchange is kept. A scope collects the exchanges of a period.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { longestShown } from '../../exchange/exchange.ts'
import { keepPassedSecrets } from '../../exchange/secrets/passed-secrets.ts'
import { type Redactor, responseSide } from '../../exchange/secrets/redactor.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { WireResponse } from './exchange-bytes.ts'
import type { RequestCount } from './request-count.ts'
import type { WireRequest } from './transport.ts'

const mostKept = 200
const mostTimes = 100

/** A request as it goes over the wire, and what is known of it. */
export interface OutgoingRequest {
  operation: OperationId | undefined
  actor: string
  request: WireRequest
  /** The body as a report shows it, before redaction. */
  shown: string
  /** A 429 is a response like any other: the client does not wait and repeat the request. @default false */
  counted?: boolean
  /** Position among the requests of the run's checks. @default 0 */
  position?: number
  /** Sent for the run and not for a check. @default false */
  cleaning?: boolean
  /** Called when there is no complete response to a request that the server may have received. */
  onNoResponse?: () => void
}

export interface RecordingScope {
  readonly exchanges: Exchange[]
  /** How many exchanges there were, those no longer kept included. */
  requests: number
  /** How many of them were sent since the scope was opened; the others were recalled. */
  sent: number
  close(): void
}

export class Recorder {
  readonly #redactor: Redactor
  readonly #scopes = new Set<RecordingScope>()
  readonly #count: RequestCount
  #silent = 0
  #recorded = 0
  /** Milliseconds that the first responses took. */
  readonly times: number[] = []
  /** The last exchange, whether a scope has it or not. */
  last: Exchange | undefined

  /** @param count of the session, in which requests that are not recorded are counted too */
  constructor(redactor: Redactor, count: RequestCount) {
    this.#redactor = redactor
    this.#count = count
  }

  /**
   * @param url that it was sent to
   * @param got absent where no response came
   */
  record(
    { operation, actor, request, shown }: OutgoingRequest,
    url: string,
    got?: { response: WireResponse; text: string },
  ): Exchange {
    const redactor = this.#redactor
    const { method, headers, body } = request
    const octets = octetsOf(body)
    this.#count.requests += 1
    const exchange: Exchange = {
      number: ++this.#recorded,
      actor,
      request: {
        method,
        url: redactor.url(url),
        headers: redactor.headers(headers, actor),
        body: redactor.body(shown, 'request', longestShown),
        bytes: body === undefined ? 0 : Buffer.byteLength(body),
        ...(octets !== undefined && { octets: redactor.octets(octets) }),
      },
      ms: Math.round((got?.response.ms ?? 0) * 100) / 100,
    }
    if (operation !== undefined) exchange.operation = operation
    if (got !== undefined) {
      const { status, headers: received, bytes, ms } = got.response
      if (this.times.length < mostTimes) this.times.push(ms)
      exchange.response = {
        status,
        headers: redactor.headers(received, actor),
        body: redactor.body(got.text, responseSide(status), longestShown),
        bytes: bytes.length,
      }
    }
    keepPassedSecrets(exchange, {
      authorization: headers.authorization,
      body: shown,
      response: method === 'POST' ? got?.text : undefined,
    })
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
   * What was sent for an earlier check, and the open scopes build on: without it no one could reproduce what they find.
   * A scope that has it already does not get it twice.
   */
  recall(exchanges: readonly Exchange[]): void {
    for (const scope of this.#scopes) {
      const known = new Set(scope.exchanges)
      for (const exchange of exchanges) if (!known.has(exchange)) add(scope, exchange)
    }
  }

  /** Collects what is recorded until it is closed. Scopes may nest. */
  open(): RecordingScope {
    const scope: RecordingScope = {
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

function add(scope: RecordingScope, exchange: Exchange): void {
  scope.requests += 1
  scope.exchanges.push(exchange)
  if (scope.exchanges.length > mostKept) scope.exchanges.shift()
}

/**
 * The bytes of a small body that is not text. A text with a NUL counts too, because no shell argument can contain one.
 */
function octetsOf(body: WireRequest['body']): Uint8Array | undefined {
  if (body === undefined || (typeof body === 'string' && !body.includes('\0'))) return undefined
  const octets = typeof body === 'string' ? Buffer.from(body) : body
  return octets.byteLength <= longestShown ? octets : undefined
}
