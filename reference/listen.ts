/**
 * Puts a fetch handler behind a socket. The server library is loaded here, since who uses the reference inside a
 * process never needs it.
 *
 * @module
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { badRequest } from './errors.ts'
import { refuse } from './http/respond.ts'

export interface Listener {
  /** Origin, without a path: `http://127.0.0.1:8090`. */
  url: string
  port: number
  /** Ends open connections and frees the port. */
  close(): Promise<void>
}

/** @throws the system's error when the port cannot be had. */
export async function listen(
  handler: (request: Request) => Promise<Response>,
  port: number,
  host: string,
): Promise<Listener> {
  const { createAdaptorServer } = await import('@hono/node-server')
  const server = createAdaptorServer({
    fetch: handler,
    overrideGlobalObjects: false,
    // Only what is no request at all comes here: a malformed Host header, for example.
    ...{ errorHandler: () => refuse(badRequest()) },
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
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
