/**
 * Puts a fetch handler behind a socket. The server library is loaded here, because use inside a process does not need
 * it.
 *
 * @module
 */

import { once } from 'node:events'
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'
import { ApiError, badRequest, inResponse, unexpected } from '../errors.ts'
import { ConnectionDropped, onCut } from '../testing/faults.ts'
import { noteHead, type RequestHead } from './request-head.ts'
import { errorResponse } from './respond.ts'
import { seenResponseText } from './seen-request-body.ts'
import { type ResponseParts, unchangedParts } from './text-response.ts'

/** A socket that a reference listens on. */
export interface Listener {
  /** Origin, without a path: `http://127.0.0.1:8090`. */
  url: string
  /** Port that it listens on. */
  port: number
  /** Closes open connections and frees the port. */
  close(): Promise<void>
}

/** Largest request line with headers, in bytes. It is ample: the operations themselves reject what is too long. */
const longestHead = 1024 * 1024

/** Milliseconds that an idle connection stays open: long enough that clients do not find it closed when they send. */
const keepAliveTimeout = 65_000

/** Error responses that the HTTP library would send without a body get the envelope like all others. */
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

/** These requests do not reach the log. */
const notHttp = () => badRequest(() => 'The request is not valid HTTP.')

/** Bytes that are not HTTP, and CONNECT requests. */
function respondToMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { body, head } = envelopeOf(notHttp())
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Every socket has a listener for errors as long as it lives. Node takes its own away before it hands a socket to
 * `connect`, and a reset by the peer would then be an uncaught exception, which ends the process.
 */
function outliveErrors(server: Server): void {
  // Node destroys the socket automatically, and the client no longer waits for a response.
  server.on('connection', (socket) => socket.on('error', () => {}))
}

function respondRejected(error: ApiError, response: ServerResponse): void {
  const { body, head } = envelopeOf(error)
  response.writeHead(error.status, head)
  response.end(body)
}

/**
 * Ends a connection once more than `before` bytes were written to it and sent. On a busy machine the connection used to
 * end before the head of the response, so the client saw no response instead of half of one.
 */
function endAfterFirst(socket: Socket, before: number): void {
  if (socket.destroyed) return
  if (socket.bytesWritten > before) socket.destroySoon()
  else setImmediate(endAfterFirst, socket, before)
}

/** The head of a request as it arrived. */
interface Incoming {
  socket: Socket
  url?: string | undefined
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
}

function readHead({ headers, rawHeaders }: Incoming): RequestHead {
  let size = 0
  for (const text of rawHeaders) size += text.length
  return {
    bodiless: headers['content-length'] === undefined && headers['transfer-encoding'] === undefined,
    size,
    *fields() {
      for (let at = 0; at + 1 < rawHeaders.length; at += 2)
        yield [rawHeaders[at] as string, rawHeaders[at + 1] as string]
    },
  }
}

/**
 * Whether the address of a request can be parsed. The server library accepts some targets and Host headers that URL does
 * not, such as `1.2.3.256`. Clients repeat their Host header, so one that is known to be valid is not parsed again.
 */
function urlTest(): (request: Request, incoming: Incoming) => boolean {
  let valid: string | undefined
  return ({ url: address }, { url, headers: { host } }) => {
    const isPath = url?.startsWith('/') === true
    if (isPath && host === valid) return true
    if (!URL.canParse(address)) return false
    if (isPath) valid = host
    return true
  }
}

/**
 * Thrown when a response is sent, or its connection has ended, so that the server library sends none: it returns when
 * `errorHandler` has nothing for it. Its own `RESPONSE_ALREADY_SENT` is a response whose headers it reads each time.
 */
const alreadySent = Symbol('response already sent')

/** The objects of one exchange; the names are the server library's. */
interface Sides {
  incoming: Incoming
  outgoing: {
    writeHead(status: number, headers: Record<string, string | number>): unknown
    end(body: string | Uint8Array, encoding: 'latin1'): unknown
  }
}

/** Sends a response whose text is available in one piece: reading it from its stream would take half as long again. */
function sentWhole(response: Response, outgoing: Sides['outgoing']): boolean {
  const parts = unchangedParts(response) ?? changedParts(response)
  if (parts === undefined) return false
  const { status, text = '' } = parts
  // Copied first and added to then: V8 clones an object much faster than it merges two.
  const headers: Record<string, string | number> = { ...parts.headers }
  const size = Buffer.byteLength(text)
  // RFC 9110, section 8.6: a 204 has no Content-Length.
  if (status !== 204) headers['content-length'] ??= size
  outgoing.writeHead(status, headers)
  // As Latin-1, since Node takes longer to write a string as UTF-8 than for all the rest of a list. ASCII is the same in
  // both. The head is Latin-1 anyway: values that a fault sets have one byte for each character.
  outgoing.end(size === text.length ? text : Buffer.from(text), 'latin1')
  return true
}

/** The parts of a response with headers of its own, a fault for example. */
function changedParts(response: Response): ResponseParts | undefined {
  const { status, headers } = response
  const text = status === 204 ? '' : seenResponseText(response)
  if (text === undefined || ['transfer-encoding', 'set-cookie'].some((name) => headers.has(name)))
    return undefined
  return { status, headers: Object.fromEntries(headers), text }
}

/**
 * Starts a server on a socket.
 *
 * @param handler responds to a request; `ip` is the client's address. It may throw `ConnectionDropped`: the connection
 *   ends without a response
 * @param port 0 takes a free one
 * @param host name or address to listen on
 * @param log receives errors that the handler did not catch
 * @throws the system's error if the port is not available, `EADDRINUSE` for example; TypeError for a port that is not a
 *   number: Node would take an object for its own options, and listen on every address
 */
export async function listen(
  handler: (request: Request, ip?: string) => Promise<Response>,
  port: number,
  host: string,
  log: (error: unknown) => void = console.error,
): Promise<Listener> {
  if (!Number.isInteger(port) || typeof host !== 'string')
    throw new TypeError(
      'listen() takes a port number and a host: listen(8090), or listen(8090, "127.0.0.1").',
    )
  const [{ createServer }, { getRequestListener, RequestError }] = await Promise.all([
    import('node:http'),
    import('@hono/node-server'),
  ])
  const hasValidUrl = urlTest()
  const hostInUrl = host.includes(':') ? `[${host}]` : host
  const respond = async (request: Request, { incoming, outgoing }: Sides) => {
    // After the connection has closed, `incoming` has no socket any more.
    const { socket } = incoming
    const before = socket.bytesWritten
    if (!hasValidUrl(request, incoming))
      return errorResponse(badRequest(inResponse, 'The Host header and the path make no valid URL.'))
    noteHead(request, readHead(incoming))
    try {
      const response = await handler(request, socket.remoteAddress?.replace(/^::ffff:/, ''))
      onCut(response, () => endAfterFirst(socket, before))
      if (!sentWhole(response, outgoing)) return response
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error
      socket.destroy()
    }
    throw alreadySent
  }
  const listener = getRequestListener(respond, {
    overrideGlobalObjects: false,
    // The library would close the connection if a body that no operation reads takes longer than half a second, and
    // with it the next request of that client. Instead, the server reads such a body to its end and discards it.
    autoCleanupIncoming: false,
    errorHandler(error) {
      if (error === alreadySent) return
      // Requests that are malformed, with an invalid Host header for example.
      if (error instanceof RequestError) return errorResponse(notHttp())
      log(error)
      return errorResponse(unexpected())
    },
  })
  const limits = { maxHeaderSize: longestHead, keepAliveTimeout, requireHostHeader: false }
  const server = createServer(limits, (request, response) => {
    const { headers, httpVersion } = request
    if (headers.host === undefined && httpVersion === '1.1') return respondRejected(notHttp(), response)
    // Older clients send no Host header, and the URL is built from it.
    headers.host ??= hostInUrl
    void listener(request, response)
  })
  outliveErrors(server)
  server.on('clientError', respondToMalformed)
  server.on('connect', (_request, socket) => respondToMalformed(notHttp(), socket))
  server.on('checkExpectation', (_request, response) => {
    respondRejected(new ApiError(417, inResponse, 'The expectation cannot be met.'), response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://${hostInUrl}:${address.port}`,
    port: address.port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
