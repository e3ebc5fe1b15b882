/**
 * Middleware for Express and everything else of Connect's style: `(request, response, next)`.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlainExchange } from '../vocabulary.ts'
import { headerText, refusal, type ServerSurfaceOptions, serverValidator, toldOf } from './server-surface.ts'
import { settle } from './surface.ts'

type Connect = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

const mostKept = 32 * 1024 * 1024

/**
 * With `report` bytes go out as they come; `fail` and `mark` hold the body back until it is judged. Streams of events
 * pass as they are. A request's body is known where a parser before this one has left it in `request.body`, or after it
 * in the same place.
 *
 * @example
 * app.use(connectConform({ mode: 'mark' }))
 */
export function connectConform(options: ServerSurfaceOptions = {}): Connect {
  const validator = serverValidator(options)
  const mode = options.mode ?? 'fail'
  const limit = options.limit ?? mostKept

  return (request, response, next) => {
    const chunks: Buffer[] = []
    let size = 0
    let passing = mode === 'report'
    const { write, end, writeHead, flushHeaders } = response
    let head: unknown[] | undefined
    let given: unknown
    // Routers below a mount point cut the URL; the whole one is kept beside it.
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? ''
    const { method = 'GET' } = request

    function keep(chunk: unknown, encoding: unknown): void {
      if (chunk === undefined || chunk === null || typeof chunk === 'function') return
      const bytes =
        typeof chunk === 'string'
          ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
          : Buffer.from(chunk as Uint8Array)
      size += bytes.length
      chunks.push(bytes)
    }

    /** Lets everything through from here on: it is a stream of events, or too large to hold back. */
    function letPass(): void {
      passing = true
      if (head !== undefined) Reflect.apply(writeHead, response, head)
      for (const chunk of chunks) Reflect.apply(write, response, [chunk])
    }

    const isStream = () => String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')

    response.writeHead = ((...args: unknown[]) => {
      if (passing) {
        // Headers given here go out without ever being in the response's own.
        given = args.find((each) => typeof each === 'object' && each !== null)
        return Reflect.apply(writeHead, response, args)
      }
      head = args
      response.statusCode = args[0] as number
      const own = args.find((each) => typeof each === 'object' && each !== null)
      if (own !== undefined && !Array.isArray(own)) {
        for (const [name, value] of Object.entries(own))
          if (value !== undefined) response.setHeader(name, value as string)
        head = args.filter((each) => each !== own)
      }
      return response
    }) as typeof response.writeHead
    response.flushHeaders = () => {
      if (!passing && isStream()) letPass()
      if (passing) Reflect.apply(flushHeaders, response, [])
    }
    response.write = ((...args: unknown[]) => {
      if (!passing && (isStream() || size > limit)) letPass()
      if (size <= limit) keep(args[0], args[1])
      if (passing) return Reflect.apply(write, response, args)
      const callback = args.find((each) => typeof each === 'function')
      if (callback !== undefined) process.nextTick(callback as () => void)
      return true
    }) as typeof response.write
    response.end = ((...args: unknown[]) => {
      if (isStream()) {
        if (!passing) letPass()
        return Reflect.apply(end, response, args)
      }
      keep(args[0], args[1])
      const error = judged()
      if (passing) return Reflect.apply(end, response, args)
      passing = true
      const callback = args.find((each) => typeof each === 'function')
      let body: Buffer | string = Buffer.concat(chunks)
      if (error !== undefined && mode === 'mark')
        response.setHeader('x-conformance', headerText(error.actual))
      if (error !== undefined && mode === 'fail') {
        const instead = refusal(error)
        head = undefined
        response.statusCode = instead.status
        for (const name of ['content-encoding', 'etag', 'content-length']) response.removeHeader(name)
        for (const [name, value] of Object.entries(instead.headers)) response.setHeader(name, value)
        body = instead.body
      }
      if (head !== undefined) Reflect.apply(writeHead, response, head)
      return Reflect.apply(end, response, callback === undefined ? [body] : [body, callback])
    }) as typeof response.end

    function judged() {
      const exchange: PlainExchange = {
        request: { method, url, headers: request.headers, body: (request as { body?: unknown }).body },
        response: {
          status: response.statusCode,
          headers: (given ?? response.getHeaders()) as Record<string, string>,
          body: Buffer.concat(chunks),
        },
      }
      return settle(validator.validate(exchange), toldOf(options), { method, url })
    }

    next()
  }
}
