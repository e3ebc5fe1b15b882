/**
 * The log of what the run's exchanges break: judged one by one as they come, asked by the checks that make claims about
 * every response.
 *
 * @module
 */

import { isUtf8 } from 'node:buffer'
import type { OperationId } from '../spec/vocabulary.ts'
import type { WireResponse } from './transport.ts'
import type { Validator } from './validator.ts'
import type { Exchange, Traffic, Violation } from './vocabulary.ts'

const mostKept = 5
const jsonType = /^\s*application\/(json|[\w.+-]+\+json)\s*(;|$)/i
const secretKey = /"(tokenKey|passwordHash)"\s*:/
const hash = /"\$2[aby]\$\d\d\$|"\$scrypt\$|"\$argon2/

type Add = (requirement: string, message: string, expected: string, received: string) => void

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
    const add: Add = (requirement, message, expected, received) =>
      this.#add({ requirement, message, expected, received, exchange })
    const contentType = response.headers['content-type'] ?? ''
    const { method } = exchange.request
    const shown = exchange.response?.body.slice(0, 200) ?? ''
    if (status >= 500)
      add(
        'wire.no-server-error',
        'a request made the server fail',
        'a status below 500',
        `${status} ${shown}`,
      )
    if (method !== 'HEAD' && method !== 'OPTIONS')
      this.#judgeBody(status, contentType, response.bytes, text, body, shown, add)
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

  /** What the document says of every body, whatever the operation (section 1). */
  #judgeBody(
    status: number,
    contentType: string,
    bytes: Buffer,
    text: string,
    body: unknown,
    shown: string,
    add: Add,
  ): void {
    const nothing = text === '' ? 'no body' : shown
    if (text !== '' && body === undefined)
      add('wire.json-bodies', `a body with status ${status} is not JSON`, 'a JSON body', shown)
    if (status >= 400 && body === undefined)
      add(
        'wire.json-errors',
        `the body of a refusal with status ${status} is not JSON`,
        'a JSON body',
        nothing,
      )
    if (status >= 200 && status < 300 && (text === '') !== (status === 204)) {
      add(
        'wire.no-empty-success',
        `status ${status} came with ${text === '' ? 'no' : 'a'} body`,
        status === 204 ? 'no body' : 'a body',
        nothing,
      )
    }
    if (!isUtf8(bytes)) add('wire.json-utf8', 'a body is not well-formed UTF-8', 'UTF-8', shown)
    if (body !== undefined && !jsonType.test(contentType)) {
      add(
        'wire.json-media-type',
        'a JSON body is called something else',
        'application/json',
        contentType || 'no content type',
      )
    }
    if (secretKey.test(text) || hash.test(text))
      add('wire.no-secrets', 'a response shows a token key or a hash', 'neither', shown)
  }

  #add(violation: Violation): void {
    const known = this.#violations.get(violation.requirement)
    if (known === undefined) this.#violations.set(violation.requirement, [violation])
    else if (known.length < mostKept) known.push(violation)
  }
}
