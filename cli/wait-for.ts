/**
 * `--wait`: until the server accepts connections. A job that has just started a server in any language need not know when
 * it is ready.
 *
 * @module
 */

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketAddress } from '../exchange/socket-address.ts'
import { ConfigurationError } from '../harness/errors.ts'

/** Milliseconds between two attempts, and for one of them. */
const retry = 100
const attemptLimit = 2_000

/**
 * @param address URL of the server
 * @throws ConfigurationError if it accepts no connection in that time
 */
export async function waitFor(address: string, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  const url = new URL(address)
  for (;;) {
    if (await accepts(url)) return
    if (performance.now() + retry > end)
      throw new ConfigurationError(
        `nothing accepted connections at ${url.origin} within ${seconds} s`,
        `--wait ${seconds}`,
        'check that the server starts, and check its log',
      )
    await sleep(retry)
  }
}

function accepts(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketAddress(url))
    const ends = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.setTimeout(attemptLimit, () => ends(false))
    socket.once('connect', () => ends(true))
    socket.once('error', () => ends(false))
  })
}
