/**
 * Sends the suite's requests to a fetch handler of this process: no socket, no HTTP. What a `Request` cannot say, such as
 * a GET with a body, goes over the socket.
 *
 * @module
 */

import type { Transport, WireRequest, WireResponse } from '../../harness/wire/transport.ts'

/** @param overSocket takes what cannot be said in this process */
export function directTransport(
  baseUrl: string,
  fetch: (request: Request) => Promise<Response>,
  overSocket: Transport,
): Transport {
  return {
    async send(sent) {
      const request = sent.alone === true ? undefined : requestOf(baseUrl, sent)
      if (request === undefined) return overSocket.send(sent)
      const begin = performance.now()
      const response = await fetch(request).catch(internalError)
      return responseOf(sent, response, begin)
    },
    waited: () => overSocket.waited(),
    close: () => overSocket.close(),
  }
}

function requestOf(baseUrl: string, { method, path, headers, body }: WireRequest): Request | undefined {
  try {
    const request = new Request(baseUrl + path, { method, headers, body: body ?? null })
    // A URL tidies what it is given: the server is to see the path as it was sent.
    return request.url === baseUrl + path ? request : undefined
  } catch {
    return undefined
  }
}

async function responseOf({ method }: WireRequest, response: Response, begin: number): Promise<WireResponse> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const headers = Object.fromEntries(response.headers)
  return {
    status: response.status,
    headers: {
      date: new Date().toUTCString(),
      ...(response.status === 204 ? {} : { 'content-length': String(bytes.length) }),
      ...headers,
    },
    bytes: method === 'HEAD' ? Buffer.alloc(0) : bytes,
    ms: performance.now() - begin,
  }
}

/** What a server makes of an exception of its own. */
function internalError(): Response {
  return new Response('{}', { status: 500, headers: { 'content-type': 'application/json' } })
}
