/**
 * Puts a fetch handler behind a socket. The server library is loaded here, since who uses the reference inside a
 * process never needs it.
 *
 * @module
 */

import { once } from 'node:events'
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, badRequest } from './errors.ts'
import { noteBodiless } from './http/read-body.ts'
import { errorResponse } from './http/respond.ts'
import { seenResponseText } from './http/seen-bodies.ts'
import { ConnectionDropped, onCut } from './testing/faults.ts'

/** A socket that a reference listens on. */
export interface Listener {
  /** Origin, without a path: `http://127.0.0.1:8090`. */
  url: string
  /** Port that it listens on. */
  port: number
  /** Ends open connections and frees the port. */
  close(): Promise<void>
}

/** Bytes of request line and headers. Ample: what is too long in them is for the operations to say. */
const longestHead = 1024 * 1024

/** Milliseconds that an idle connection stays open: long enough that no client finds it closed as it sends. */
const keepAliveTimeout = 65_000

/** What the HTTP library would answer by itself, without a body, gets the envelope like everything else. */
function envelopeOf(error: ApiError): { body: string; head: Record<string, string | number> } {
  const body = `${JSON.stringify(error.body())}\n`
  return {
    body,
    head: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    },
  }
}

/** Bytes that are no HTTP, and the wish for a tunnel. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { body, head } = envelopeOf(badRequest())
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Every socket has a listener for errors as long as it lives. Node takes its own away before it hands a socket to
 * `connect`, and a reset by the peer would then be an uncaught exception: the end of the whole process.
 */
function outliveErrors(server: Server): void {
  // Node destroys the socket by itself, and nobody waits for a response any more.
  server.on('connection', (socket) => socket.on('error', () => {}))
}

function answerRefused(error: ApiError, response: ServerResponse): void {
  const { body, head } = envelopeOf(error)
  response.writeHead(error.status, head)
  response.end(body)
}

/**
 * Ends a connection once more than `before` bytes were written to it, and those are out. On a busy machine it was ended
 * before the head of the answer, so that a client saw no answer where it should have seen half of one.
 */
function endAfterFirst(socket: Socket, before: number): void {
  if (socket.destroyed) return
  if (socket.bytesWritten > before) socket.destroySoon()
  else setImmediate(endAfterFirst, socket, before)
}

/** RFC 9112, section 6.3. */
function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Of one exchange; the names are the server library's. */
interface Sides {
  incoming: { socket: Socket; headers: IncomingHttpHeaders }
  outgoing: {
    writeHead(status: number, headers: Record<string, string | number>): unknown
    end(text: string): unknown
  }
}

/** Sends an answer whose text is at hand in one piece: read from its stream it would take half as long again. */
function sentWhole(response: Response, outgoing: Sides['outgoing']): boolean {
  const bodiless = response.status === 204
  const text = bodiless ? '' : seenResponseText(response)
  if (text === undefined || ['transfer-encoding', 'set-cookie'].some((name) => response.headers.has(name)))
    return false
  // RFC 9110, section 8.6: a 204 says no length.
  const length = bodiless ? undefined : { 'content-length': Buffer.byteLength(text) }
  outgoing.writeHead(response.status, { ...length, ...Object.fromEntries(response.headers) })
  outgoing.end(text)
  return true
}

/**
 * @param log told of errors that the handler let through
 * @throws the system's error when the port cannot be had
 */
export async function listen(
  handler: (request: Request, ip?: string) => Promise<Response>,
  port: number,
  host: string,
  log: (error: unknown) => void = console.error,
): Promise<Listener> {
  const [{ createServer }, { getRequestListener, RequestError }, { RESPONSE_ALREADY_SENT }] =
    await Promise.all([
      import('node:http'),
      import('@hono/node-server'),
      import('@hono/node-server/utils/response'),
    ])
  // Where another server of this library has put its classes in the place of the global ones, this answer is one of
  // them, and would be sent a second time from its cache. To ask for the body empties that.
  void RESPONSE_ALREADY_SENT.body
  const answer = async (request: Request, { incoming, outgoing }: Sides) => {
    // Once the connection is gone, `incoming` has none any more.
    const { socket } = incoming
    const before = socket.bytesWritten
    // The server library takes some targets and Host headers that URL does not, such as `1.2.3.256`. From here on
    // everyone may parse the address.
    if (!URL.canParse(request.url))
      return errorResponse(badRequest('The Host header and the path make no valid URL.'))
    if (!announcesBody(incoming.headers)) noteBodiless(request)
    try {
      const response = await handler(request, socket.remoteAddress?.replace(/^::ffff:/, ''))
      onCut(response, () => endAfterFirst(socket, before))
      return sentWhole(response, outgoing) ? RESPONSE_ALREADY_SENT : response
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error
      socket.destroy()
      return new Response(null, { status: 500 })
    }
  }
  const listener = getRequestListener(answer, {
    overrideGlobalObjects: false,
    // It would cut the connection of a body that nobody wanted and that takes longer than half a second, and with it
    // the next request of that client. Left alone, the server reads such a body to its end and forgets it.
    autoCleanupIncoming: false,
    errorHandler(error) {
      // What is no request at all: a malformed Host header, for example.
      if (error instanceof RequestError) return errorResponse(badRequest())
      log(error)
      return errorResponse(new ApiError(500))
    },
  })
  const limits = { maxHeaderSize: longestHead, keepAliveTimeout, requireHostHeader: false }
  const server = createServer(limits, (request, response) => {
    const { headers, httpVersion } = request
    if (headers.host === undefined && httpVersion === '1.1') return answerRefused(badRequest(), response)
    // Older clients send none, and an address is made of it.
    headers.host ??= host
    void listener(request, response)
  })
  outliveErrors(server)
  server.on('clientError', answerMalformed)
  server.on('connect', (_request, socket) => answerMalformed(badRequest(), socket))
  server.on('checkExpectation', (_request, response) => {
    answerRefused(new ApiError(417, 'The expectation cannot be met.'), response)
  })
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
