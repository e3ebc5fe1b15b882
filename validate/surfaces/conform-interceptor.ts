/**
 * An interceptor for undici's dispatchers.
 *
 * @module
 */

import type { Dispatcher } from 'undici'
import { headerOf } from '../exchange/header-of.ts'
import type { HeaderBag, PlainExchange } from '../vocabulary.ts'
import { type SurfaceOptions, settle, validatorOf } from './surface.ts'

type Handler = Dispatcher.DispatchHandler

const mostKept = 32 * 1024 * 1024

/**
 * Bytes pass at once and untouched. A response that does not conform ends in a ConformanceError in place of its end.
 *
 * @example
 * const agent = new Agent().compose(conform())
 */
export function conform(options: SurfaceOptions = {}): Dispatcher.DispatcherComposeInterceptor {
  const validator = validatorOf(options)
  const limit = options.limit ?? mostKept

  return (dispatch) => (request, handler) => {
    const { path, method, headers, body, origin } = request
    const url = `${origin ?? ''}${path}`
    const seen = { status: 0, headers: {} as HeaderBag, chunks: [] as Uint8Array[], size: 0, skip: false }

    const watching: Handler = {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (controller, status, received, socket) =>
        handler.onRequestUpgrade?.(controller, status, received, socket),
      onResponseStart(controller, status, received, message) {
        seen.status = status
        seen.headers = received
        seen.skip = headerOf(received, 'content-type')?.startsWith('text/event-stream') === true
        handler.onResponseStart?.(controller, status, received, message)
      },
      onResponseData(controller, chunk) {
        if (seen.size <= limit && !seen.skip) {
          // A copy: the parser reuses its memory.
          seen.chunks.push(Uint8Array.prototype.slice.call(chunk))
          seen.size += chunk.length
        }
        handler.onResponseData?.(controller, chunk)
      },
      onResponseEnd(controller, trailers) {
        const error = seen.skip || seen.status < 200 ? undefined : judged()
        if (error === undefined) handler.onResponseEnd?.(controller, trailers)
        else handler.onResponseError?.(controller, error)
      },
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    }

    function judged() {
      const exchange: PlainExchange = {
        request: { method, url, headers: headers as HeaderBag, body: readable(body) },
        response: { status: seen.status, headers: seen.headers, body: concat(seen.chunks, seen.size) },
      }
      return settle(validator.validate(exchange), options, { method, url })
    }

    return dispatch(request, watching)
  }
}

/** Streams are used up by sending. */
function readable(body: unknown): unknown {
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
