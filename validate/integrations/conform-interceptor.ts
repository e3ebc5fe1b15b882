/**
 * An interceptor for undici's dispatchers.
 *
 * @module
 */

import type { Dispatcher } from 'undici'
import { headerOf } from '../../exchange/header-of.ts'
import { isBytes } from '../../exchange/is-bytes.ts'
import type { HeaderBag, PlainExchange } from '../../exchange/plain-exchange.ts'
import { isEventStream } from '../reading/is-event-stream.ts'
import { KeptBody } from '../reading/kept-body.ts'
import { type IntegrationOptions, limitOf, settle, validatorOf } from './integration.ts'
import { type WatchedResponse, watchingHandler } from './watching-handler.ts'

/**
 * Validates every response that a dispatcher receives. Bytes are passed on unchanged as they arrive.
 *
 * With `mode: 'throw'` (the default), reading the body of a response that does not conform fails with a
 * ConformanceError instead of its end. `fetch` wraps it, as it wraps every network error: the ConformanceError is the
 * `cause` of its TypeError. A response without a body to read (HEAD, 204, an empty body, a redirect) is held back until
 * it is validated, so that the request itself fails.
 *
 * An error that `onResult` throws fails the response in the same way. Event streams (`text/event-stream`) and requests
 * outside the interface are not validated.
 *
 * Works with dispatchers of undici 6 and later, and with the one that is built into Node.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { conform } from 'record-auth-conformance/validate'
 * import { Agent, setGlobalDispatcher } from 'undici'
 *
 * setGlobalDispatcher(new Agent().compose(conform()))
 * ```
 */
export function conform(options: IntegrationOptions = {}): Dispatcher.DispatcherComposeInterceptor {
  const validator = validatorOf(options)
  const limit = limitOf(validator)

  function watch(request: Dispatcher.DispatchOptions): WatchedResponse {
    const { method, headers } = request
    const url = urlOf(request)
    const covered = validator.operationOf({ method, url }) !== undefined
    let status = 0
    let received: HeaderBag | readonly string[] = {}
    let body = new KeptBody(limit)
    let events = false

    return {
      start(nextStatus, nextHeaders) {
        status = nextStatus
        received = nextHeaders
        body = new KeptBody(limit)
        events = isEventStream(headerOf(received, 'content-type'))
        return covered && options.mode !== 'report' && holdsBack(method, status, received)
      },
      // A copy, because the parser reuses its memory.
      add(chunk) {
        if (covered && !events) body.add(Uint8Array.prototype.slice.call(chunk))
        return !body.over
      },
      judge() {
        if (events) return undefined
        const { unjudged } = body
        const exchange: PlainExchange = {
          request: { method, url, headers: headers as HeaderBag, body: readable(request.body) },
          response: { status, headers: received as HeaderBag, body: body.bytes() },
          ...(unjudged !== undefined && { unjudged }),
        }
        try {
          return settle(validator, validator.validate(exchange), options, { method, url })
        } catch (error) {
          return error instanceof Error ? error : new Error(String(error))
        }
      },
    }
  }

  return (dispatch) => (request, handler) => dispatch(request, watchingHandler(handler, watch(request)))
}

/** The URL as it is sent: undici appends `query` to the path only after its interceptors. */
function urlOf({ origin, path, query = {} }: Dispatcher.DispatchOptions): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const each of Array.isArray(value) ? value : [value]) added.append(name, String(each ?? ''))
  const search = added.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${added}`
  return `${origin === undefined ? '' : String(origin).replace(/\/$/, '')}${path}${search}`
}

/** Whether the caller cannot see an error of the body: there is no body, or a redirect is followed instead. */
function holdsBack(method: string, status: number, headers: unknown): boolean {
  if (method === 'HEAD' || status === 204 || status === 205) return true
  return (status >= 300 && status < 400) || headerOf(headers, 'content-length') === '0'
}

/** Undefined for streams: sending consumes them. */
function readable(body: unknown): unknown {
  return typeof body === 'string' || isBytes(body) ? body : undefined
}
