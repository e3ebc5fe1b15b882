/**
 * A fetch that validates what it gets.
 *
 * @module
 */

import { rememberRequest } from '../exchange/recognise.ts'
import type { RequestFacts } from '../vocabulary.ts'
import { type SurfaceOptions, settle, validatorOf } from './surface.ts'

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * @param fetch what sends the request. @default the global one
 * @returns a fetch whose promise fails with a ConformanceError for a response that does not conform. Streams of events
 *   pass as they are.
 *
 * @example
 * const client = new Client(url, { fetch: conformingFetch(fetch) })
 */
export function conformingFetch(fetch: Fetch = globalThis.fetch, options: SurfaceOptions = {}): Fetch {
  const validator = validatorOf(options)
  return async (input, init) => {
    const request = await requestFacts(input, init)
    const response = await fetch(input, init)
    rememberRequest(response, request)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    const error = settle(await validator.validate(response, request), options, {
      method: request.method,
      url: request.url,
    })
    if (error !== undefined) throw error
    return response
  }
}

/** Read before it is sent: afterwards a stream is used up. Bodies that are streams are left alone. */
async function requestFacts(input: string | URL | Request, init: RequestInit = {}): Promise<RequestFacts> {
  if (typeof input === 'string' || input instanceof URL) {
    const { method = 'GET', body } = init
    return { method, url: String(input), headers: plain(init.headers), body: known(body) }
  }
  const { method, url, headers, bodyUsed, body } = input
  const text =
    init.body === undefined && body !== null && !bodyUsed ? await input.clone().text() : known(init.body)
  return {
    method: init.method ?? method,
    url,
    headers: { ...plain(headers), ...plain(init.headers) },
    body: text,
  }
}

function known(body: RequestInit['body']): unknown {
  if (body instanceof URLSearchParams) return undefined
  const stream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream
  return stream ? undefined : (body ?? undefined)
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  return headers === undefined ? {} : Object.fromEntries(new Headers(headers))
}
