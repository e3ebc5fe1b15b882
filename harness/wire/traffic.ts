/**
 * The log of what the exchanges of a session break: judged one by one as they come, asked by the checks that make
 * claims about every response.
 *
 * @module
 */

import { isUtf8 } from 'node:buffer'
import type { Exchange } from '../../exchange/exchange.ts'
import { showsSecret } from '../../exchange/secrets/never-shown.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { judgeStatus, judgeWire, type Report } from '../../validate/judge-wire.ts'
import type { Traffic } from '../vocabulary/check.ts'
import type { Violation } from '../vocabulary/findings.ts'
import type { WireResponse } from './transport.ts'
import type { Validator } from './validator.ts'

const mostKept = 5

/** An exchange as it was on the wire, and as it was recorded. */
export interface Answered {
  operation: OperationId | undefined
  response: WireResponse
  text: string
  /** Parsed JSON; undefined where there is none. */
  body: unknown
  exchange: Exchange
  /** The caller asked for a part of the answer only. */
  picked: boolean
  /** The check that was under way. */
  during: string | undefined
}

export class TrafficLog implements Traffic {
  readonly #validator: Validator | undefined
  readonly #violations = new Map<string, Violation[]>()
  readonly #seen = new Map<OperationId, Record<number, number>>()
  /** By exchange, as long as someone holds it. */
  readonly #byExchange = new WeakMap<Exchange, Violation[]>()
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

  about(exchange: Exchange): readonly Violation[] {
    return this.#byExchange.get(exchange) ?? []
  }

  judge({ operation, response, text, body, exchange, picked, during }: Answered): void {
    this.judged += 1
    const { status } = response
    const add: Report = (requirement, message, expected, received) =>
      this.report({ requirement, message, expected, received, exchange, during })
    const contentType = response.headers['content-type'] ?? ''
    const { method } = exchange.request
    const shown = exchange.response?.body.slice(0, 200) ?? ''
    judgeStatus(status, shown, add)
    if (method !== 'HEAD' && method !== 'OPTIONS') {
      judgeWire({ operation, status, contentType, text, body, utf8: isUtf8(response.bytes), shown }, add)
      if (showsSecret(text))
        add('wire.no-secrets', 'a response contains a token key or a hash', 'neither', shown)
    }
    if (operation === undefined) return
    const counts = this.#seen.get(operation) ?? {}
    counts[status] = (counts[status] ?? 0) + 1
    this.#seen.set(operation, counts)
    if (this.#validator === undefined || exchange.request.method === 'HEAD') return
    for (const mismatch of this.#validator.response(operation, { status, contentType, text, body, picked })) {
      add(mismatch.requirement, mismatch.message, mismatch.expected, mismatch.received)
    }
  }

  /** Notes what a request shows in some other way than by its response. */
  report(violation: Violation): void {
    const about = this.#byExchange.get(violation.exchange)
    if (about === undefined) this.#byExchange.set(violation.exchange, [violation])
    else about.push(violation)
    const known = this.#violations.get(violation.requirement)
    if (known === undefined) this.#violations.set(violation.requirement, [violation])
    else if (known.length < mostKept) known.push(violation)
  }
}
