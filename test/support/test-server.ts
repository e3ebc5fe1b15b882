/**
 * A server of a few lines, on a free port of this machine.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestServer {
  /** Origin, without a path. */
  url: string
  /** Ends open connections, too. May be called again. */
  close(): void
}

/** @param port @default 0 a free one */
export async function startTestServer(response: RequestListener, port = 0): Promise<TestServer> {
  const server = createServer(response).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
