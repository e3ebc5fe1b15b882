/**
 * Connections that ask to change their protocol. A WebSocket is passed on: what comes from either side goes to the other.
 * The offer of HTTP/2 is not taken up, so that its requests are judged like all others.
 *
 * @module
 */

import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'
import { forwarded, headersIn, optionsOf } from './forwarded.ts'

/** Options of `Connection` that make an offer of HTTP/2. */
const offer = ['upgrade', 'http2-settings']

/** Name or address to connect to: an address of IPv6 has brackets in a URL, and only there. */
export function hostHeaderOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Some clients offer HTTP/2 with every first request, and do without where nobody answers to that (RFC 9110, 7.8). */
export function offersHttp2({ headers }: IncomingMessage): boolean {
  const offered = (headers.upgrade ?? '').toLowerCase().split(',')
  return offered.every((protocol) => /^\s*(h2c|http\/)/.test(protocol))
}

/** Has the server read the request once more, without its offer: it had stopped reading the connection as HTTP. */
export function readWithoutOffer(
  server: Server,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { rawHeaders } = incoming
  const lines = [`${incoming.method} ${incoming.url} HTTP/${incoming.httpVersion}`]
  for (const [name, value] of headersIn(rawHeaders))
    if (!/^(upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`)
  // What else the client names there still has to be kept from the upstream.
  const options = optionsOf(rawHeaders).filter((option) => !offer.includes(option))
  if (options.length > 0) lines.push(`Connection: ${options.join(', ')}`)
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** @param refused is told when there is no connection to the upstream */
export function passUpgrade(
  upstream: URL,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  refused: (error: NodeJS.ErrnoException) => void,
): void {
  const secure = upstream.protocol === 'https:'
  const port = Number(upstream.port || (secure ? 443 : 80))
  const host = hostHeaderOf(upstream)
  const target = secure ? connectSecurely({ host, port, servername: host }) : connect({ host, port })
  const base = upstream.pathname.replace(/\/+$/, '')
  const lines = [`${incoming.method} ${base}${incoming.url} HTTP/1.1`]
  for (const [name, value] of headersIn(forwarded(incoming.rawHeaders, upstream.host)))
    lines.push(`${name}: ${value}`)
  lines.push('Connection: Upgrade', `Upgrade: ${incoming.headers.upgrade}`)
  let connected = false
  target.once(secure ? 'secureConnect' : 'connect', () => {
    connected = true
    target.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    target.write(head)
    target.pipe(socket)
    socket.pipe(target)
  })
  target.on('error', (error) => {
    if (connected) socket.destroy()
    else refused(error)
  })
  socket.on('error', () => target.destroy())
  target.on('close', () => {
    if (connected) socket.destroy()
  })
  socket.on('close', () => target.destroy())
}
