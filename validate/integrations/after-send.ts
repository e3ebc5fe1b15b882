/**
 * A hook for the official JavaScript client, which calls it with every response and its parsed body.
 *
 * @module
 */

import { rememberedRequest } from '../../exchange/remember-request.ts'
import { isEventStream } from '../reading/is-event-stream.ts'
import { expectPrefix, type IntegrationOptions, settle, validatorOf } from './integration.ts'

/** What the client passes about the request. */
export interface SendOptions {
  /** HTTP method. @default 'GET' */
  method?: string
  /** Body, before it was serialized as JSON. @default none */
  body?: unknown
  /** Headers that were sent. @default none */
  headers?: Record<string, string>
}

/**
 * A hook for the official JavaScript client, which validates every response.
 *
 * The client has already read the body, and passes `{}` for one that is not JSON, incomplete or missing: these are
 * validated as `{}`. Event streams (`text/event-stream`) are not validated.
 *
 * @returns a function for the client's `afterSend`: returns the data unchanged, or throws a ConformanceError. It throws a
 * TypeError for a request to a table under another prefix than the option `prefix`, and for a response without a URL:
 * nothing would be validated
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import PocketBase from 'pocketbase'
 * import { afterSend } from 'record-auth-conformance/validate'
 *
 * const client = new PocketBase('http://127.0.0.1:8090')
 * client.afterSend = afterSend({ prefix: '/api' })
 * ```
 */
export function afterSend(
  options: IntegrationOptions = {},
): <T>(response: Response, data: T, sent?: SendOptions) => T {
  const validator = validatorOf(options)
  return (response, data, sent) => {
    const { status, headers } = response
    const url = urlOf(response)
    if (isEventStream(headers.get('content-type'))) return data
    const request = { method: sent?.method ?? 'GET', url, headers: sent?.headers, body: sent?.body }
    // The client has read the body, and passes an empty object if there was none.
    const empty = typeof data === 'object' && data !== null && Object.keys(data).length === 0
    const none = empty && (status === 204 || headers.get('content-length') === '0')
    const plain = { 'content-type': headers.get('content-type') ?? '' }
    const result = validator.validate({
      request,
      response: { status, headers: plain, body: none ? undefined : data },
    })
    expectPrefix(validator, result, url)
    const error = settle(validator, result, options, { method: request.method, url })
    if (error !== undefined) throw error
    return data
  }
}

/** A response that was not received over a socket has no URL. @throws TypeError if no one knows it */
function urlOf(response: Response): string {
  const url = response.url === '' ? rememberedRequest(response)?.url : response.url
  if (url !== undefined) return url
  throw new TypeError(
    'The response has no URL, so nothing was validated: wrap the fetch of the client in conformingFetch() instead.',
  )
}
