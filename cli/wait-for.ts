/**
 * `--wait`: until the server accepts connections. A job that has just started a server in any language need not know when
 * it is ready.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../harness/errors.ts'
import { acceptsConnections } from './accepts-connections.ts'

/** Milliseconds between two attempts. */
const retry = 100

/**
 * @param address URL of the server
 * @throws ConfigurationError if it accepts no connection in that time
 */
export async function waitFor(address: string, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  const url = new URL(address)
  for (;;) {
    if (await acceptsConnections(url)) return
    if (performance.now() + retry > end)
      throw new ConfigurationError(
        `nothing accepted connections at ${url.origin} within ${seconds} s`,
        `--wait ${seconds}`,
        'check that the server starts, and check its log',
      )
    await sleep(retry)
  }
}
