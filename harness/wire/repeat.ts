/**
 * Sends a request a second time after a broken connection, if that cannot affect the result.
 *
 * @module
 */

import { BrokenConnectionError, isRejected } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { sentObject } from './requested-creates.ts'

export interface Repeatable {
  /** Of a safe method. A client may automatically repeat such a request (RFC 9110, section 9.2.2). */
  reading: boolean
  /**
   * Intentionally invalid, over its own connection: it is expected to change nothing. A check that fails after such a
   * request was sent twice is run again all the same, since the server may have accepted both.
   */
  alone: boolean
  /**
   * For the clean-up: deleting twice is harmless. If ids may be reused, each attempt first checks whose the record is.
   */
  cleaning: boolean
  body: string | Uint8Array | undefined
}

/**
 * Once: RFC 9110 advises against repeating a repeated request. A request that was never sent, because its connection
 * was refused, is always sent again.
 *
 * @param send receives a callback for the case that the server may have received the request but sent no complete
 *   response
 * @param onNoResponse called if the server may have executed it
 * @throws BrokenConnectionError if the second connection also breaks, or the request must not be repeated
 */
export async function repeating(
  { connections }: Wire,
  { reading, alone, cleaning, body }: Repeatable,
  send: (onNoResponse: () => void) => Promise<ApiResponse>,
  onNoResponse: () => void,
): Promise<ApiResponse> {
  let open = false
  const attempt = () =>
    send(() => {
      open = true
    })
  const give = (error: unknown): never => {
    if (open) onNoResponse()
    throw error
  }
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof BrokenConnectionError) || error.confirmed) return give(error)
    if (error.sent && !reading && !alone && !cleaning) return give(error)
    connections.sentAgain += 1
    if (error.sent && !reading && !cleaning) connections.repeatedWrites += 1
  }
  const response = await attempt().catch(give)
  if (open && (!isRejected(response) || bringsId(body))) onNoResponse()
  return response
}

/**
 * A create with its own id may be rejected the second time because the first attempt created the record; any other was
 * already rejected before.
 */
function bringsId(body: Repeatable['body']): boolean {
  return typeof sentObject(body).id === 'string'
}
