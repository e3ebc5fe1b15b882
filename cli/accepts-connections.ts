import { connect } from 'node:net'
import { socketAddress } from '../exchange/socket-address.ts'

/** Milliseconds. */
const attemptLimit = 2_000

/** Whether a server accepts a connection now. */
export function acceptsConnections(url: URL): Promise<boolean> {
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
