/**
 * Repeats a logged request: as a curl command, or by sending it.
 *
 * @module
 */

import { curlLine } from '../exchange/curl.ts'
import type { LoggedExchange, RepeatableRequest } from '../exchange/logged-exchange.ts'
import { InvalidControlRequest } from './respond.ts'
import type { Serving } from './serving.ts'

/** Headers that browsers add, and that curl would need options for. */
const ofBrowser = /^(?:sec-.*|accept-encoding)$/

/**
 * @returns the request, and whether the server can send it again
 * @throws InvalidControlRequest 404 if the request is not kept
 */
export function repeatableExchange(
  { exchanges, url }: Serving,
  id: number,
): RepeatableRequest & { repeatable: boolean } {
  const exchange = exchanges.get(id)
  if (exchange === undefined) throw notKept()
  return { ...exchange, curl: curlOf(exchange, url), repeatable: exchanges.sent(id) !== undefined }
}

function curlOf({ id, method, path, duration, request }: LoggedExchange, origin: string): string {
  const { body, size = 0 } = request
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !ofBrowser.test(name)),
  )
  // A form with files and other binary bodies are not kept in the log.
  const missing = body === undefined && size > 0
  const line = curlLine({
    number: id,
    actor: '',
    ms: duration,
    request: {
      method,
      url: origin + path,
      headers,
      body: body ?? '',
      bytes: size,
      ...(missing && { octets: '' }),
    },
  })
  return missing ? `${line} --data-binary @body # ${size} bytes that the log does not keep` : line
}

/**
 * Sends a logged request again, with its secrets. It is logged like the first.
 *
 * @returns the id of the new request; undefined if it came too fast to be recorded
 * @throws InvalidControlRequest 404 if the request is not kept, 409 if its body is not
 */
export async function repeatRequest(serving: Serving, id: number): Promise<{ id: number | undefined }> {
  const { exchanges, reference } = serving
  if (exchanges.get(id) === undefined) throw notKept()
  const sent = exchanges.sent(id)
  if (sent === undefined)
    throw new InvalidControlRequest(
      'The body of this request was not kept, because it is long, binary or was not read. Use the curl command.',
      409,
    )
  const { method, url, requestHeaders: headers, requestText: body } = sent
  const responding = reference.fetch(new Request(url, { method, headers, body }), undefined, '127.0.0.1')
  // The request that began last: others with the same method and path may be under way.
  const repeated = reference.requests.last()
  const response = await responding
  // A stream of events would not end on its own.
  if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel()
  else await response.arrayBuffer()
  await serving.settled()
  return { id: repeated && exchanges.idOf(repeated) }
}

function notKept(): InvalidControlRequest {
  return new InvalidControlRequest('This request is no longer kept.', 404)
}
