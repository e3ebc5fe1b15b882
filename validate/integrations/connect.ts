/**
 * Middleware for Express and other frameworks of Connect's style: `(request, response, next)`.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import { isEventStream } from '../reading/is-event-stream.ts'
import { KeptBody } from '../reading/kept-body.ts'
import { ConformanceError, limitOf, settle } from './integration.ts'
import {
  failure,
  headerText,
  rejectionOf,
  reportedOf,
  type ServerIntegrationOptions,
  serverValidator,
  warnOf,
} from './server-integration.ts'

/** A middleware for `app.use` of Express, and of others that call it with the same arguments. */
export type ConnectMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Middleware for Express: validates the responses of the application.
 *
 * With `report`, bytes are sent as they are written; `fail` and `mark` delay the response until it is validated.
 * Responses to requests outside the interface and event streams (`text/event-stream`) are not validated. The request
 * body is known if a parser, before or after this middleware, sets `request.body`.
 *
 * An error that `onResult` throws becomes a response with status 500; with `report`, a process warning.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { connectConform } from 'record-auth-conformance/validate'
 *
 * const conforms = connectConform({ mode: 'mark' })
 * createServer((request, response) => {
 *   conforms(request, response, () => response.end())
 * }).listen(8090)
 * ```
 */
export function connectConform(options: ServerIntegrationOptions = {}): ConnectMiddleware {
  const validator = serverValidator(options)
  const mode = options.mode ?? 'fail'
  const limit = limitOf(validator)

  return (request, response, next) => {
    // Routers below a mount point shorten the URL; `originalUrl` is the complete one.
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? ''
    const { method = 'GET' } = request
    const kept = new KeptBody(limit)
    const chunks: Buffer[] = []
    let passing = mode === 'report'
    const { write, end, writeHead, flushHeaders } = response
    let head: unknown[] | undefined
    let given: unknown

    /** @returns the error for the response, or what `onResult` threw */
    function judged(): unknown {
      const { unjudged } = kept
      const exchange: PlainExchange = {
        request: { method, url, headers: request.headers, body: (request as { body?: unknown }).body },
        response: {
          status: response.statusCode,
          headers: (given ?? response.getHeaders()) as Record<string, string>,
          body: kept.bytes(),
        },
        ...(unjudged !== undefined && { unjudged }),
      }
      try {
        return settle(validator.validate(exchange), reportedOf(options), { method, url })
      } catch (error) {
        return error
      }
    }

    if (validator.operationOf({ method, url }) === undefined) {
      response.once('finish', () => warnOf(judged()))
      next()
      return
    }

    function keep(chunk: unknown, encoding: unknown): void {
      if (chunk === undefined || chunk === null || typeof chunk === 'function') return
      const bytes =
        typeof chunk === 'string'
          ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
          : Buffer.from(chunk as Uint8Array)
      kept.add(bytes)
      if (!passing) chunks.push(bytes)
    }

    /** Passes everything on from here: the body is an event stream, or too large to delay. */
    function letPass(): void {
      passing = true
      if (head !== undefined) Reflect.apply(writeHead, response, head)
      for (const chunk of chunks.splice(0)) Reflect.apply(write, response, [chunk])
    }

    const isStream = () => isEventStream(String(response.getHeader('content-type') ?? ''))

    response.writeHead = ((...args: unknown[]) => {
      if (passing) {
        // Headers passed here are sent without being in the response's own headers.
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
      if (!passing && isStream()) letPass()
      if (passing) {
        keep(args[0], args[1])
        return Reflect.apply(write, response, args)
      }
      keep(args[0], args[1])
      if (kept.over) letPass()
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
      if (passing) {
        if (!(error instanceof ConformanceError)) warnOf(error)
        return Reflect.apply(end, response, args)
      }
      passing = true
      const callback = args.find((each) => typeof each === 'function')
      let body: Buffer | string = Buffer.concat(chunks)
      if (error instanceof ConformanceError && mode === 'mark')
        response.setHeader('x-conformance', headerText(error.actual))
      else if (error !== undefined) {
        const instead = error instanceof ConformanceError ? rejectionOf(error) : failure(error)
        head = undefined
        response.statusCode = instead.status
        for (const name of ['content-encoding', 'etag', 'content-length']) response.removeHeader(name)
        for (const [name, value] of Object.entries(instead.headers)) response.setHeader(name, value)
        body = instead.body
      }
      if (head !== undefined) Reflect.apply(writeHead, response, head)
      return Reflect.apply(end, response, callback === undefined ? [body] : [body, callback])
    }) as typeof response.end

    next()
  }
}
