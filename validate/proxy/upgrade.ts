/**
 * Upgrade requests. A WebSocket is tunneled in both directions. An offer of HTTP/2 is not accepted, so that its
 * requests are validated like all others.
 *
 * @module
 */

import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'
import { socketAddress } from '../../exchange/socket-address.ts'
import { forwarded, headersIn, optionsOf, targetPath } from './forwarded.ts'

/** Options of `Connection` that offer HTTP/2. */
const offer = ['upgrade', 'http2-settings']

/**
 * Some clients offer HTTP/2 with every first request, and continue with HTTP/1.1 if the server ignores it (RFC 9110,
 * 7.8).
 */
export function offersHttp2({ headers }: IncomingMessage): boolean {
  const offered = (headers.upgrade ?? '').toLowerCase().split(',')
  return offered.every((protocol) => /^\s*(h2c|http\/)/.test(protocol))
}

/** Makes the server parse the request again without the offer: it has stopped parsing the connection as HTTP. */
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
  // The other options there still list headers that must not be passed on.
  const options = optionsOf(rawHeaders).filter((option) => !offer.includes(option))
  if (options.length > 0) lines.push(`Connection: ${options.join(', ')}`)
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** @param rejected called if the upstream cannot be reached */
export function passUpgrade(
  upstream: URL,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  rejected: (error: NodeJS.ErrnoException) => void,
): void {
  const secure = upstream.protocol === 'https:'
  const address = socketAddress(upstream)
  const target = secure ? connectSecurely({ ...address, servername: address.host }) : connect(address)
  const base = upstream.pathname.replace(/\/+$/, '')
  const lines = [`${incoming.method} ${base}${targetPath(incoming.url)} HTTP/1.1`]
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
    else rejected(error)
  })
  socket.on('error', () => target.destroy())
  target.on('close', () => {
    if (connected) socket.destroy()
  })
  socket.on('close', () => target.destroy())
}
