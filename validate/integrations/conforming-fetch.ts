/**
 * A `fetch` that validates its responses.
 *
 * @module
 */

import type { RequestFacts } from '../../exchange/plain-exchange.ts'
import { rememberRequest } from '../../exchange/remember-request.ts'
import type { ResponseValidator } from '../create-validator.ts'
import { isEventStream } from '../reading/is-event-stream.ts'
import { peekBody } from '../reading/peek-body.ts'
import { type IntegrationOptions, limitOf, settle, validatorOf } from './integration.ts'

/** A function that is called like `fetch`. */
export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * A `fetch` that validates the responses.
 *
 * A response after redirects is validated as the response to the original request; if that is outside the interface, as
 * the response to the final address.
 *
 * @param fetch the function that sends the request. @default the global one
 * @returns a fetch that rejects with a ConformanceError for a response that does not conform, and with the error of
 *   `onResult` if that throws. It resolves when the body is complete, and the caller can still read it. Event
 *   streams (`text/event-stream`) and responses to requests outside the interface are returned immediately, unvalidated.
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import createClient from 'openapi-fetch'
 * import { conformingFetch } from 'record-auth-conformance/validate'
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8090', fetch: conformingFetch(fetch) })
 * ```
 */
export function conformingFetch(
  fetch: FetchLike = globalThis.fetch,
  options: IntegrationOptions = {},
): FetchLike {
  const validator = validatorOf(options)
  return async (input, init) => {
    const request = await requestFacts(input, init, validator)
    const response = await fetch(input, init)
    const responded = respondedTo(request, response, validator)
    rememberRequest(response, responded)
    if (isEventStream(response.headers.get('content-type'))) return response
    const error = settle(validator, await validator.validate(response, responded), options, {
      method: responded.method,
      url: responded.url,
    })
    if (error !== undefined) throw error
    return response
  }
}

function respondedTo(request: RequestFacts, response: Response, validator: ResponseValidator): RequestFacts {
  const { method, url } = request
  if (!response.redirected || validator.operationOf({ method, url }) !== undefined) return request
  // A redirect may change other methods to GET without notice.
  return { url: response.url, method: method === 'GET' || method === 'HEAD' ? method : undefined }
}

/**
 * The body of a Request is read before it is sent, since sending consumes it. Streams and bodies outside the interface
 * are not read.
 */
async function requestFacts(
  input: string | URL | Request,
  init: RequestInit = {},
  validator: ResponseValidator,
): Promise<RequestFacts> {
  if (typeof input === 'string' || input instanceof URL) {
    const { method = 'GET', body } = init
    return { method, url: String(input), headers: plain(init.headers), body: known(body) }
  }
  const method = init.method ?? input.method
  const { url } = input
  const headers = { ...plain(input.headers), ...plain(init.headers) }
  if (init.body !== undefined || input.bodyUsed || validator.operationOf({ method, url }) === undefined)
    return { method, url, headers, body: known(init.body) }
  return { method, url, headers, body: await peekBody(input, limitOf(validator)) }
}

function known(body: RequestInit['body']): unknown {
  if (body instanceof URLSearchParams) return undefined
  const stream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream
  return stream ? undefined : (body ?? undefined)
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  return headers === undefined ? {} : Object.fromEntries(new Headers(headers))
}
