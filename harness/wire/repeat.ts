/**
 * Sends a request a second time when its connection broke, where that cannot change what is judged.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { BrokenConnectionError, isRejected } from '../judging/expect.ts'
import type { Reply } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'

export interface Repeatable {
  /** GET, HEAD or OPTIONS. A client may repeat such a request by itself (RFC 9110, section 9.2.2). */
  reading: boolean
  /**
   * Wrong on purpose, over a connection of its own: it is expected to change nothing. A check that fails after such a
   * request was sent twice is run again all the same, since the server may have accepted both.
   */
  alone: boolean
  /** Of the clean-up: what is deleted twice is gone. Where ids come again, each attempt looks first whose the record is. */
  cleaning: boolean
  body: string | Uint8Array | undefined
}

/**
 * Once: RFC 9110 advises against repeating a repeated request. A request that was never sent, because its connection was
 * refused, is sent again whatever it is.
 *
 * @param send is given what is to be called where no complete response came to a request that the server may have received
 * @param unanswered notes that the server may have done it
 * @throws BrokenConnectionError when the second connection breaks as well, or the request must not be repeated
 */
export async function repeating(
  { connections }: Session,
  { reading, alone, cleaning, body }: Repeatable,
  send: (unanswered: () => void) => Promise<Reply>,
  unanswered: () => void,
): Promise<Reply> {
  let open = false
  const attempt = () =>
    send(() => {
      open = true
    })
  const give = (error: unknown): never => {
    if (open) unanswered()
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
  const reply = await attempt().catch(give)
  if (open && (!isRejected(reply) || bringsId(body))) unanswered()
  return reply
}

/** What brings its own id may be refused the second time because the first created it; any other was refused before, too. */
function bringsId(body: Repeatable['body']): boolean {
  try {
    const fields: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    return isObject(fields) && typeof fields.id === 'string'
  } catch {
    return false
  }
}
