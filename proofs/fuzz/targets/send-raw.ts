/**
 * Sends bytes over a connection of its own and gathers what comes back.
 *
 * @module
 */

import { connect } from 'node:net'
import type { RawMessage } from '../generate/raw-messages.ts'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** Milliseconds without a byte after which a client that waits leaves: what it sent was incomplete. */
const quiet = 150
const pause = () => new Promise((resolve) => setImmediate(resolve))

/** @returns all bytes that came back before either side left */
export async function sendRaw(port: number, { bytes, cuts, ending }: RawMessage): Promise<Buffer> {
  const whole = Buffer.from(bytes, 'latin1')
  const places = [...cuts.map((share) => Math.floor(share * whole.length)), whole.length].sort(
    (a, b) => a - b,
  )
  const received: Buffer[] = []
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let gone = false
  // The server may do anything to the connection; only whether it keeps running is judged.
  socket.on('error', () => {})
  socket.on('close', () => {
    gone = true
  })
  socket.setTimeout(quiet, () => socket.destroy())
  socket.on('data', (chunk) => received.push(chunk))
  let from = 0
  for (const to of places) {
    if (!gone) socket.write(whole.subarray(from, to))
    from = to
    await pause()
  }
  if (ending === 'half-close') socket.end()
  else if (ending === 'reset') socket.resetAndDestroy()
  else if (ending === 'close') socket.destroy()
  await closed
  return Buffer.concat(received)
}

/** The complete responses among the bytes, in their order. Undefined if a part of the bytes is not HTTP. */
export function parseResponses(bytes: Buffer): RawResponse[] | undefined {
  const found: RawResponse[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) return found
    const [line = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (!(status >= 100)) return undefined
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    )
    at = end + 4
    if (status < 200) continue
    // The server sends every body in one piece; another form is left unread.
    if (headers['transfer-encoding'] !== undefined) return found
    const length = Number(headers['content-length'] ?? 0)
    const body = bytes.subarray(at, at + length)
    // The response to HEAD has a length and no body.
    if (body.length < length && at < bytes.length) return found
    found.push({ status, headers, body })
    at += length
  }
  return found
}
