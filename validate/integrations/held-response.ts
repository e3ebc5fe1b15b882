/**
 * Holds a response of Node back until it ends, so that it can still be replaced.
 *
 * @module
 */

import type { ServerResponse } from 'node:http'
import { isEventStream } from '../reading/is-event-stream.ts'
import type { KeptBody } from '../reading/kept-body.ts'
import type { Rejection } from './server-integration.ts'

/**
 * Keeps what an application writes. From the first bytes of an event stream on, or of a body that is too large to
 * delay, everything is passed on as it is written.
 */
export class HeldResponse {
  readonly #response: ServerResponse
  readonly #kept: KeptBody
  readonly #own: Pick<ServerResponse, 'write' | 'end' | 'writeHead' | 'flushHeaders'>
  readonly #atEnd: (held: HeldResponse) => void
  readonly #chunks: Buffer[] = []
  #head: unknown[] | undefined
  #given: unknown
  #replaced: string | undefined
  /** Whether what is written is sent at once: the response cannot be replaced any more. */
  passing: boolean

  /**
   * @param kept receives the body
   * @param passing whether nothing is held back from the start
   * @param atEnd called when the response is complete, before what was held back is sent. Not called for event streams
   */
  constructor(
    response: ServerResponse,
    kept: KeptBody,
    passing: boolean,
    atEnd: (held: HeldResponse) => void,
  ) {
    this.#response = response
    this.#kept = kept
    this.passing = passing
    this.#atEnd = atEnd
    const { write, end, writeHead, flushHeaders } = response
    this.#own = { write, end, writeHead, flushHeaders }
    response.writeHead = ((...args: unknown[]) => this.#writeHead(args)) as typeof writeHead
    response.flushHeaders = () => this.#flushHeaders()
    response.write = ((...args: unknown[]) => this.#write(args)) as typeof write
    response.end = ((...args: unknown[]) => this.#end(args)) as typeof end
  }

  get headers(): Record<string, string> {
    return (this.#given ?? this.#response.getHeaders()) as Record<string, string>
  }

  replace({ status, headers, body }: Rejection): void {
    const response = this.#response
    this.#head = undefined
    response.statusCode = status
    for (const name of ['content-encoding', 'etag', 'content-length']) response.removeHeader(name)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    this.#replaced = body
  }

  /** The headers before a middleware that compresses changes them: the bytes that are written here are not compressed. */
  #present(): unknown {
    return { ...this.#response.getHeaders() }
  }

  #writeHead(args: unknown[]): unknown {
    const response = this.#response
    const own = args.find((each) => typeof each === 'object' && each !== null)
    if (this.passing) {
      // Headers passed here are sent without being in the response's own headers.
      this.#given = own ?? this.#present()
      return this.#apply('writeHead', args)
    }
    this.#head = args
    response.statusCode = args[0] as number
    if (own !== undefined && !Array.isArray(own)) {
      for (const [name, value] of Object.entries(own))
        if (value !== undefined) response.setHeader(name, value as string)
      this.#head = args.filter((each) => each !== own)
    }
    return response
  }

  #flushHeaders(): void {
    if (!this.passing && this.#isStream()) this.#letPass()
    if (!this.passing) return
    this.#given ??= this.#present()
    this.#apply('flushHeaders', [])
  }

  #write(args: unknown[]): unknown {
    if (!this.passing && this.#isStream()) this.#letPass()
    this.#keep(args[0], args[1])
    if (this.passing) {
      this.#given ??= this.#present()
      return this.#apply('write', args)
    }
    if (this.#kept.over) this.#letPass()
    const callback = args.find((each) => typeof each === 'function')
    if (callback !== undefined) process.nextTick(callback as () => void)
    return true
  }

  #end(args: unknown[]): unknown {
    if (this.#isStream()) {
      if (!this.passing) this.#letPass()
      return this.#apply('end', args)
    }
    this.#keep(args[0], args[1])
    this.#atEnd(this)
    if (this.passing) return this.#apply('end', args)
    this.passing = true
    if (this.#head !== undefined) this.#apply('writeHead', this.#head)
    const body = this.#replaced ?? Buffer.concat(this.#chunks)
    const callback = args.find((each) => typeof each === 'function')
    return this.#apply('end', callback === undefined ? [body] : [body, callback])
  }

  #keep(chunk: unknown, encoding: unknown): void {
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk as Uint8Array)
    this.#kept.add(bytes)
    if (!this.passing) this.#chunks.push(bytes)
  }

  /** Passes everything on from here. */
  #letPass(): void {
    this.passing = true
    if (this.#head !== undefined) this.#apply('writeHead', this.#head)
    for (const chunk of this.#chunks.splice(0)) this.#apply('write', [chunk])
  }

  #isStream(): boolean {
    return isEventStream(String(this.#response.getHeader('content-type') ?? ''))
  }

  #apply(method: 'write' | 'end' | 'writeHead' | 'flushHeaders', args: unknown[]): unknown {
    return Reflect.apply(this.#own[method], this.#response, args)
  }
}
