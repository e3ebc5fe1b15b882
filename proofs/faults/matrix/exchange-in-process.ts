/**
 * Exchanges a request for its response in this process, where a matrix has thousands of rows to run and none of them is
 * about connections. What a `Request` cannot say, such as a GET with a body, goes over a connection.
 *
 * @module
 */

import { Client } from 'undici'
import { exchangeBytes, type UnderWay, type WireResponse } from '../../../harness/wire/exchange-bytes.ts'
import type { Exchanging } from '../../../harness/wire/transport.ts'

type Sent = Parameters<Exchanging>[0]
type Handle = (request: Request) => Promise<Response>

/** @param handle what stands behind the origin of the requests */
export function exchangeInProcess(handle: Handle): Exchanging {
  return (sent) => {
    const request = requestOf(sent)
    return request === undefined ? overConnection(sent) : untilGivenUp(responded(handle, request))
  }
}

function untilGivenUp(response: Promise<WireResponse>): UnderWay {
  let giveUp: UnderWay['giveUp'] = () => {}
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = reject
  })
  return { response: Promise.race([response, givenUp]), giveUp: (reason) => giveUp(reason) }
}

/** One of its own: a server may leave a body unread, and the next request would come behind it. */
function overConnection(sent: Sent): UnderWay {
  const client = new Client(sent.origin ?? '')
  const { response, giveUp } = exchangeBytes(client, sent)
  return { response: response.finally(() => client.destroy()), giveUp }
}

function requestOf({ origin = '', path, method, headers, body }: Sent): Request | undefined {
  const url = String(origin) + path
  try {
    const request = new Request(url, {
      method,
      headers: headers as Record<string, string>,
      // Bytes: to a string the library would add a content type that was not sent.
      body:
        body === null || body === undefined ? null : Buffer.from(body as string | Uint8Array<ArrayBuffer>),
    })
    // A URL tidies what it is given: the server is to see the path as it was sent.
    return request.url === url ? request : undefined
  } catch {
    return undefined
  }
}

async function responded(handle: Handle, request: Request): Promise<WireResponse> {
  const begin = performance.now()
  const response = await handle(request).catch(internalError)
  const bytes = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: {
      // A server of Node adds these, and times are compared with the first.
      date: new Date().toUTCString(),
      ...(response.status === 204 ? {} : { 'content-length': String(bytes.length) }),
      ...Object.fromEntries(response.headers),
    },
    bytes: request.method === 'HEAD' ? Buffer.alloc(0) : bytes,
    ms: performance.now() - begin,
  }
}

/** What a server makes of an exception of its own. */
function internalError(): Response {
  return new Response('{}', { status: 500, headers: { 'content-type': 'application/json' } })
}
