/** Answers `?case=NAME` as the table says, and knows which connections are still open. */

import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { cases, secondHalf } from './cases.ts'

export type CaseListener = (request: IncomingMessage, response: ServerResponse) => void

export interface CaseServer {
  base: string
  /** Emits `request` when one has come, and takes `continue` for the second half of a body. */
  events: EventEmitter
  /** Connections from clients that are still open. */
  open(): number
  /** Closes those that a client keeps for later. */
  closeIdle(): void
  close(): Promise<void>
}

/** Responds as the case in the query wants. */
function respondAsCase(events: EventEmitter): CaseListener {
  return ({ url = '' }, response) => {
    const name = new URL(url, 'http://x').searchParams.get('case')
    const found = cases.find((each) => each.name === name)
    if (found === undefined) {
      response.writeHead(400).end(`no case ${name}`)
      return
    }
    if (found.halves) events.once('continue', () => response.end(secondHalf(found)))
    found.respond(response)
    events.emit('request')
  }
}

/** @param listener what surrounds the responses; none for the bare ones */
export async function startCaseServer(
  wrap: (respond: CaseListener) => CaseListener = (respond) => respond,
): Promise<CaseServer> {
  const events = new EventEmitter()
  const sockets = new Set<Socket>()
  const server = createServer(wrap(respondAsCase(events))).listen(0, '127.0.0.1')
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    open: () => sockets.size,
    closeIdle: () => server.closeIdleConnections(),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
