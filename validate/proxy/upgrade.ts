/**
 * Passes a connection on that changes its protocol (WebSocket): what comes from either side goes to the other.
 *
 * @module
 */

import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'

export function passUpgrade(upstream: URL, incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const secure = upstream.protocol === 'https:'
  const port = Number(upstream.port || (secure ? 443 : 80))
  const target = secure
    ? connectSecurely({ host: upstream.hostname, port, servername: upstream.hostname })
    : connect({ host: upstream.hostname, port })
  const base = upstream.pathname.replace(/\/+$/, '')
  const lines = [`${incoming.method} ${base}${incoming.url} HTTP/1.1`]
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    const name = incoming.rawHeaders[at] ?? ''
    lines.push(`${name}: ${name.toLowerCase() === 'host' ? upstream.host : incoming.rawHeaders[at + 1]}`)
  }
  target.once(secure ? 'secureConnect' : 'connect', () => {
    target.write(`${lines.join('\r\n')}\r\n\r\n`)
    target.write(head)
    target.pipe(socket)
    socket.pipe(target)
  })
  target.on('error', () => socket.destroy())
  socket.on('error', () => target.destroy())
  target.on('close', () => socket.destroy())
  socket.on('close', () => target.destroy())
}
