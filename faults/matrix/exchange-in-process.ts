/**
 * Exchanges a request for its response without a socket, where a matrix has thousands of rows to run and none of them
 * is about connections.
 *
 * @module
 */

import type { UnderWay } from '../../harness/wire/exchange.ts'
import type { Exchanging } from '../../harness/wire/transport.ts'

type Sent = Parameters<Exchanging>[0]

export function exchangeInProcess(handle: (request: Request) => Promise<Response>): Exchanging {
  return (sent): UnderWay => {
    let giveUp: UnderWay['giveUp'] = () => {}
    const givenUp = new Promise<never>((_resolve, reject) => {
      giveUp = reject
    })
    return { answer: Promise.race([answered(handle, sent), givenUp]), giveUp: (reason) => giveUp(reason) }
  }
}

async function answered(handle: (request: Request) => Promise<Response>, sent: Sent) {
  const response = await handle(requestOf(sent))
  const headers = Object.fromEntries(response.headers)
  // A server of Node adds it, and times are compared with it.
  headers.date ??= new Date().toUTCString()
  return { status: response.status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

function requestOf({ origin = '', path, method, headers, body }: Sent): Request {
  const bare = method === 'GET' || method === 'HEAD'
  return new Request(new URL(path, origin), {
    method,
    headers: headers as Record<string, string>,
    body: bare ? null : (body as string | Uint8Array<ArrayBuffer> | null),
  })
}
