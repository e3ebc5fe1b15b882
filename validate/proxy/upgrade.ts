/**
 * Passes a connection on that changes its protocol (WebSocket): what comes from either side goes to the other.
 *
 * @module
 */

import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'

/** Name or address to connect to: an address of IPv6 has brackets in a URL, and only there. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
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
  const host = hostOf(upstream)
  const target = secure ? connectSecurely({ host, port, servername: host }) : connect({ host, port })
  const base = upstream.pathname.replace(/\/+$/, '')
  const lines = [`${incoming.method} ${base}${incoming.url} HTTP/1.1`]
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    const name = incoming.rawHeaders[at] ?? ''
    lines.push(`${name}: ${name.toLowerCase() === 'host' ? upstream.host : incoming.rawHeaders[at + 1]}`)
  }
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
