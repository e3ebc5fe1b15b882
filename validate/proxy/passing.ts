/**
 * An exchange on its way through the proxy: passed on, judged and recorded.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeContent } from '../../exchange/decode.ts'
import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import { ConformanceError, limitOf } from '../integrations/integration.ts'
import { headerText, rejectionOf } from '../integrations/server-integration.ts'
import { isEventStream } from '../reading/is-event-stream.ts'
import { overLimit } from '../reading/kept-body.ts'
import type { ValidationResult } from '../vocabulary.ts'
import { forwarded } from './forwarded.ts'
import { described, rejectRequest } from './no-response.ts'
import type { ProxyOptions } from './options.ts'

/** Why nothing of an exchange is kept after its end. */
export const hungUp = 'the client hung up'

/** Bytes that all exchanges of a proxy may keep together while they are under way. */
export class Room {
  left: number

  constructor(bytes = 256 * 1024 * 1024) {
    this.left = bytes
  }
}

/** A body kept up to a size, and as far as there is room for it. A larger one is passed on without validation. */
export class Kept {
  readonly #room: Room
  readonly #limit: number
  #chunks: Buffer[] = []
  #taken = 0
  size = 0
  /** Why it is not kept. */
  lost: string | undefined

  /** @param limit in bytes */
  constructor(room: Room, limit: number) {
    this.#room = room
    this.#limit = limit
  }

  fits({ length }: Buffer): boolean {
    return this.lost === undefined && this.size + length <= this.#limit && length <= this.#room.left
  }

  add(chunk: Buffer): void {
    const fits = this.fits(chunk)
    this.size += chunk.length
    if (!fits) {
      this.drop(
        this.size > this.#limit
          ? overLimit(this.#limit)
          : 'there is no room to buffer its body with the other exchanges in progress',
      )
      return
    }
    this.#chunks.push(chunk)
    this.#taken += chunk.length
    this.#room.left -= chunk.length
  }

  drop(reason: string): void {
    this.lost ??= reason
    this.#room.left += this.#taken
    this.#taken = 0
    this.#chunks = []
  }

  bytes(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }
}

interface Sides {
  incoming: IncomingMessage
  outgoing: ServerResponse
  answer: IncomingMessage
  sent: Kept
  room: Room
  begun: Date
  url: string
}

/** One response on its way through. */
export class Passing {
  readonly #options: ProxyOptions
  readonly #sides: Sides
  readonly #got: Kept

  constructor(options: ProxyOptions, sides: Sides) {
    this.#options = options
    this.#sides = sides
    this.#got = new Kept(sides.room, limitOf(options.validator))
    sides.outgoing.on('close', () => this.#got.drop(hungUp))
  }

  start(): void {
    const { answer: response, outgoing } = this.#sides
    // What was forwarded cannot be taken back: the connection to the client is closed as well.
    response.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.destroyed) return
      this.#trouble('the upstream server closed the connection early', error)
      outgoing.destroy()
    })
    // An event stream never ends and is not part of the interface.
    if (isEventStream(response.headers['content-type'])) {
      if (!this.#writeHead()) return
      outgoing.flushHeaders()
      response.pipe(outgoing)
      return
    }
    response.on('data', (chunk: Buffer) => this.#keep(chunk))
    if (this.#streams()) this.#stream()
    // After the turn: responses that ended together are judged and sent together, which is a fifth faster.
    else response.on('end', () => setImmediate(() => this.#finish()))
  }

  /** Only a response that may be failed or marked is held back. */
  #streams(): boolean {
    const { mode, validator } = this.#options
    const { incoming, url } = this.#sides
    return mode === 'report' || validator.operationOf({ method: incoming.method, url }) === undefined
  }

  #trouble(what: string, error: unknown): void {
    this.#options.onTrouble(described(this.#sides.incoming, what, error))
  }

  /** The traffic continues even if our own work on it fails. */
  #attempt(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#trouble(what, error)
    }
  }

  /** Passes on what arrives in one turn as one packet: a short response in one piece, a long one as it arrives. */
  #stream(): void {
    const { answer: response, outgoing } = this.#sides
    let ended = false
    response.on('end', () => {
      ended = true
    })
    setImmediate(() => {
      if (outgoing.destroyed) return
      if (outgoing.headersSent) {
        if (ended) this.#judge()
        else response.on('end', () => this.#judge())
        return
      }
      if (!this.#writeHead()) return
      if (ended) {
        outgoing.end(this.#got.bytes())
        this.#judge()
        return
      }
      if (this.#got.size > 0) outgoing.write(this.#got.bytes())
      else outgoing.flushHeaders()
      response.pipe(outgoing)
      response.on('end', () => this.#judge())
    })
  }

  #keep(chunk: Buffer): void {
    const { outgoing, answer: response } = this.#sides
    if (!outgoing.headersSent && !this.#got.fits(chunk)) {
      // Too large to hold back: what was held is sent, and the rest streams.
      if (!this.#writeHead()) return
      outgoing.write(this.#got.bytes())
      outgoing.write(chunk)
      response.pipe(outgoing)
    }
    this.#got.add(chunk)
  }

  /** @returns false where node does not send such a head: of a status below 100, with control characters in the reason */
  #writeHead(extra: Record<string, string> = {}): boolean {
    const { answer: response, outgoing } = this.#sides
    const headers = forwarded(response.rawHeaders)
    for (const [name, value] of Object.entries(extra)) headers.push(name, value)
    outgoing.sendDate = false
    try {
      outgoing.writeHead(response.statusCode ?? 502, response.statusMessage ?? '', headers)
      return true
    } catch (error) {
      this.#trouble('the response cannot be forwarded', error)
      rejectRequest(outgoing)
      return false
    }
  }

  #finish(): void {
    const { outgoing } = this.#sides
    const result = this.#judge()
    if (outgoing.headersSent) return
    if (result.ok) {
      if (this.#writeHead()) outgoing.end(this.#got.bytes())
      return
    }
    const error = new ConformanceError(result, 'The response of the upstream server')
    if (this.#options.mode === 'mark') {
      if (this.#writeHead({ 'x-conformance': headerText(error.actual) })) outgoing.end(this.#got.bytes())
      return
    }
    const { status, headers, body } = rejectionOf(error, 502)
    outgoing.writeHead(status, headers)
    outgoing.end(body)
  }

  #judge(): ValidationResult {
    const { incoming, answer: response, url, sent } = this.#sides
    const { method = 'GET' } = incoming
    const status = response.statusCode ?? 0
    const exchange: PlainExchange = {
      request: {
        method,
        url,
        headers: incoming.headers,
        ...(sent.lost === undefined && { body: sent.bytes() }),
      },
      response: { status, headers: response.headers, body: this.#got.bytes() },
    }
    const { lost } = this.#got
    const unjudged = lost ?? 'its validation was interrupted'
    let result: ValidationResult = { ok: true, operation: undefined, findings: [], unjudged }
    if (lost === undefined)
      this.#attempt('it cannot be validated', () => {
        result = this.#options.validator.validate(exchange)
      })
    this.#attempt('its result cannot be reported', () =>
      this.#options.onResult(result, { method, url, status }),
    )
    this.#attempt('it cannot be recorded', () => this.#record(method, status, result))
    return result
  }

  #record(method: string, status: number, { findings }: ValidationResult): void {
    const { incoming, answer: response, url, sent, begun } = this.#sides
    this.#options.har?.add({
      started: begun,
      ms: Date.now() - begun.getTime(),
      method,
      // Not resolved against the upstream: `//name/path` would name another host.
      url: new URL(this.#options.upstream.origin + (url.startsWith('/') ? url : `/${url}`)).href,
      requestHeaders: incoming.rawHeaders,
      requestSize: sent.size,
      requestBody: sent.lost === undefined ? sent.bytes() : undefined,
      status,
      statusText: response.statusMessage ?? '',
      responseHeaders: response.rawHeaders,
      responseBody: this.#plainBody(),
      comment: findings.map(({ requirement, path }) => `${requirement} ${path}`).join('; '),
    })
  }

  /** Undefined for one that was too large to be kept. */
  #plainBody(): Uint8Array | undefined {
    if (this.#got.lost !== undefined) return undefined
    const encoding = this.#sides.answer.headers['content-encoding']
    const bytes = this.#got.bytes()
    if (encoding === undefined || bytes.length === 0) return bytes
    const decoded = decodeContent(bytes, encoding, limitOf(this.#options.validator))
    return 'bytes' in decoded ? decoded.bytes : bytes
  }
}
