/**
 * A proxy that validates the responses that pass through it against the API description. Bytes and headers are forwarded
 * unchanged in both directions.
 *
 * @module
 */

import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { bareHost } from '../../exchange/bare-host.ts'
import { limitOf } from '../integrations/integration.ts'
import { forwarded, targetPath } from './forwarded.ts'
import { described, noResponse, rejectRequest } from './no-response.ts'
import type { ProxyOptions } from './options.ts'
import { hungUp, Kept, Passing, Room } from './passing.ts'
import { offersHttp2, passUpgrade, readWithoutOffer } from './upgrade.ts'

export interface RunningProxy {
  url: string
  close(): Promise<void>
}

/** @param port on 127.0.0.1; 0 for a free one */
export async function startProxy(options: ProxyOptions, port = 0): Promise<RunningProxy> {
  const { upstream } = options
  const secure = upstream.protocol === 'https:'
  const agent = new (secure ? HttpsAgent : Agent)({ keepAlive: true, maxSockets: 256 })
  const send = secure ? httpsRequest : httpRequest
  const base = upstream.pathname.replace(/\/+$/, '')

  const room = new Room(options.room)
  const limit = limitOf(options.validator)
  const server = createServer((incoming, outgoing) => {
    const begun = new Date()
    const sent = new Kept(room, limit)
    outgoing.on('close', () => sent.drop(hungUp))
    const { method = 'GET' } = incoming
    const url = base + targetPath(incoming.url)
    const headers = forwarded(incoming.rawHeaders, upstream.host)
    const asked = send(
      {
        protocol: upstream.protocol,
        hostname: bareHost(upstream.hostname),
        port: upstream.port,
        method,
        path: url,
        headers,
        agent,
        setHost: false,
      },
      (response) => {
        const passing = new Passing(options, { incoming, outgoing, answer: response, sent, room, begun, url })
        passing.start()
      },
    )
    const unanswered = (error: NodeJS.ErrnoException) => {
      if (outgoing.destroyed) return
      options.onTrouble(described(incoming, 'the upstream server did not respond', error))
      rejectRequest(outgoing)
    }
    asked.on('error', unanswered)
    // Without a listener the error would be lost, and the client would wait forever.
    asked.on('upgrade', (_response, socket) => {
      socket.destroy()
      unanswered(new Error('it switched protocols without a request to do so'))
    })
    // A client that hangs up does not wait for a response: the upstream is not at fault.
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) asked.destroy()
    })
    if (hasBody(incoming)) {
      incoming.on('data', (chunk: Buffer) => sent.add(chunk))
      incoming.pipe(asked)
    } else asked.end()
  })
  const seen = new WeakSet<Duplex>()
  server.on('connection', (socket) => {
    // A connection is new again after each offer of HTTP/2.
    if (seen.has(socket)) return
    seen.add(socket)
    // Whatever becomes of a connection, also one that Node has taken its own listeners away from: a reset does not end this process.
    socket.on('error', () => {})
  })
  // The server forgets a connection that has changed its protocol, but waits for it when it closes.
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (incoming, socket, head) => {
    if (offersHttp2(incoming)) return readWithoutOffer(server, incoming, socket, head)
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    passUpgrade(upstream, incoming, socket, head, (error) => {
      options.onTrouble(described(incoming, 'the upstream server did not respond', error))
      socket.end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: application/json\r\nContent-Length: ${noResponse.length}\r\nConnection: close\r\n\r\n${noResponse}`,
      )
    })
  })
  server.requestTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of upgraded) socket.destroy()
      return closeAll(server, agent)
    },
  }
}

async function closeAll(server: Server, agent: Agent): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  agent.destroy()
  await closed
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
