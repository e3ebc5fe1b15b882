/** Servers in front of the case server, which middlewares surround. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Agent, request as undiciRequest } from 'undici'
import type { Call, Opened, Received } from './run-cases.ts'
import { unpacked } from './unpacked.ts'

/** Hands a request on, and the response back as it comes. */
export function forward(base: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const upstream = request(base + incoming.url, { method: incoming.method, agent: false }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    outgoing.flushHeaders()
    response.on('error', () => outgoing.destroy())
    response.pipe(outgoing)
  })
  upstream.on('error', () => outgoing.destroy())
  outgoing.on('close', () => upstream.destroy())
  upstream.end()
}

/** Calls a server as any client would, and reads what it says of the response. */
export async function callServer(base: string, { url, method, signal }: Call): Promise<Received> {
  const { pathname, search } = new URL(url)
  const dispatcher = new Agent({ pipelining: 0 })
  const { statusCode, headers, body } = await undiciRequest(base + pathname + search, {
    method,
    signal,
    dispatcher,
  })
  body.on('close', () => dispatcher.destroy())
  const said = headers['x-conformance']
  if (said === undefined) return { status: statusCode, body: unpacked(body, headers) }
  await body.dump()
  return {
    status: statusCode,
    verdict: /onResult/.test(String(said)) ? 'throws' : String(said).split(' ')[0],
    body: [],
  }
}

export async function openServer(
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  close: () => Promise<void> = async () => {},
): Promise<Opened> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    call: (call) => callServer(base, call),
    // Waits for every connection: one that a middleware has forgotten would keep the test from its end.
    async close() {
      server.close()
      if (sockets.size > 0) await once(server, 'close')
      await close()
    },
  }
}
