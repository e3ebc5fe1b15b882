/**
 * The log of what the run's exchanges break: judged one by one as they come, asked by the checks that make claims about
 * every response.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'
import type { WireResponse } from './transport.ts'
import type { Validator } from './validator.ts'
import type { Exchange, Traffic, Violation } from './vocabulary.ts'

const mostKept = 5
const hash = /"\$2[aby]\$\d\d\$|"\$scrypt\$|"\$argon2/

export class TrafficLog implements Traffic {
  readonly #validator: Validator | undefined
  readonly #violations = new Map<string, Violation[]>()
  readonly #seen = new Map<OperationId, Record<number, number>>()
  judged = 0

  constructor(validator: Validator | undefined) {
    this.#validator = validator
  }

  seen(operation: OperationId): Readonly<Record<number, number>> {
    return this.#seen.get(operation) ?? {}
  }

  violations(requirement: string): readonly Violation[] {
    return this.#violations.get(requirement) ?? []
  }

  broken(): readonly string[] {
    return [...this.#violations.keys()]
  }

  judge(
    operation: OperationId | undefined,
    response: WireResponse,
    text: string,
    body: unknown,
    exchange: Exchange,
  ): void {
    this.judged += 1
    const { status } = response
    const add = (requirement: string, message: string, expected: string, received: string) =>
      this.#add({ requirement, message, expected, received, exchange })
    const contentType = response.headers['content-type'] ?? ''
    const bodiless =
      exchange.request.method === 'HEAD' ||
      exchange.request.method === 'OPTIONS' ||
      status === 204 ||
      status === 304
    const shown = exchange.response?.body.slice(0, 200) ?? ''
    if (status >= 500)
      add(
        'wire.no-server-error',
        'a request made the server fail',
        'a status below 500',
        `${status} ${shown}`,
      )
    if (!bodiless && body === undefined) {
      add(
        'wire.json-bodies',
        `a response with status ${status} is not JSON`,
        'a JSON body',
        text === '' ? 'no body' : shown,
      )
    }
    if (hash.test(text))
      add('wire.no-secrets', 'a response shows what looks like the hash of a password', 'no hash', shown)
    if (operation === undefined) return
    const counts = this.#seen.get(operation) ?? {}
    counts[status] = (counts[status] ?? 0) + 1
    this.#seen.set(operation, counts)
    if (this.#validator === undefined || exchange.request.method === 'HEAD') return
    const picked = /[?&]fields=/.test(exchange.request.url) || operation === 'batch'
    for (const mismatch of this.#validator.response(operation, { status, contentType, text, body, picked })) {
      add(mismatch.requirement, mismatch.message, mismatch.expected, mismatch.received)
    }
  }

  #add(violation: Violation): void {
    const known = this.#violations.get(violation.requirement)
    if (known === undefined) this.#violations.set(violation.requirement, [violation])
    else if (known.length < mostKept) known.push(violation)
  }
}
