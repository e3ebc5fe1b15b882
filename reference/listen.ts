/**
 * Puts a fetch handler behind a socket. The server library is loaded here, since who uses the reference inside a
 * process never needs it.
 *
 * @module
 */

import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { badRequest } from './errors.ts'
import { refuse } from './http/respond.ts'
import { ConnectionDropped, onCut } from './testing/faults.ts'

export interface Listener {
  /** Origin, without a path: `http://127.0.0.1:8090`. */
  url: string
  port: number
  /** Ends open connections and frees the port. */
  close(): Promise<void>
}

/** Bytes of request line and headers. Ample: what is too long in them is for the operations to say. */
const longestHead = 1024 * 1024

/** Milliseconds that an idle connection stays open: long enough that no client finds it closed as it sends. */
const keepAliveTimeout = 65_000

/** Bytes that are no HTTP get the envelope, too. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const body = `${JSON.stringify(badRequest().body())}\n`
  const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`)
}

/** @throws the system's error when the port cannot be had. */
export async function listen(
  handler: (request: Request, ip?: string) => Promise<Response>,
  port: number,
  host: string,
): Promise<Listener> {
  const [{ createServer }, { getRequestListener }] = await Promise.all([
    import('node:http'),
    import('@hono/node-server'),
  ])
  const answer = async (request: Request, { incoming }: { incoming: { socket: Socket } }) => {
    try {
      const response = await handler(request, incoming.socket.remoteAddress?.replace(/^::ffff:/, ''))
      onCut(response, () => incoming.socket.destroy())
      return response
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error
      incoming.socket.destroy()
      return new Response(null, { status: 500 })
    }
  }
  const listener = getRequestListener(answer, {
    overrideGlobalObjects: false,
    // It would cut the connection of a body that nobody wanted and that takes longer than half a second, and with it
    // the next request of that client. Left alone, the server reads such a body to its end and forgets it.
    autoCleanupIncoming: false,
    // Only what is no request at all comes here: a malformed Host header, for example.
    errorHandler: () => refuse(badRequest()),
  })
  const server = createServer({ maxHeaderSize: longestHead, keepAliveTimeout }, (request, response) => {
    void listener(request, response)
  })
  server.on('clientError', answerMalformed)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
