/**
 * The caller that a connection belongs to. Its request has ended, so each event checks again whether the session or key
 * is still valid.
 *
 * @module
 */

import { sentToken } from '../../../exchange/sent-token.ts'
import type { Caller, FindApiKey, Reader, Row, Table } from '../../vocabulary.ts'

/** Identifies a caller over time. */
export interface RealtimeIdentity {
  /** The same string for the same caller. */
  readonly name: string
  /** The caller, or a guest if the session or key has ended. */
  callerIn(reader: Reader): Caller
}

const guest: Caller = { kind: 'guest' }

export const guestIdentity: RealtimeIdentity = { name: '', callerIn: () => guest }

/** The value that ends all tokens of a record when it changes. */
function sessionKey(table: Table, row: Row): string {
  return `${row.values.tokenKey}${table.definition.authToken?.secret}`
}

/**
 * A session lasts as long as the record and its token key: the expiry of the token does not end a connection, since
 * connections are short-lived themselves.
 *
 * @param authorization the caller's Authorization header, for API keys
 */
export function identityOf(caller: Caller, authorization: string, findApiKey: FindApiKey): RealtimeIdentity {
  if (caller.kind === 'guest') return guestIdentity
  if (caller.kind === 'key') {
    const text = sentToken(authorization)
    const callerIn = (): Caller => {
      const key = findApiKey(text)
      return key === undefined ? guest : { kind: 'key', key }
    }
    return { name: `key/${caller.key.id}`, callerIn }
  }
  const { table: then, row: signedIn } = caller
  const key = sessionKey(then, signedIn)
  return {
    name: `${then.id}/${signedIn.id}`,
    callerIn(reader) {
      const table = reader.table(then.id)
      const row = table && reader.get(table, signedIn.id)
      if (table === undefined || row === undefined || sessionKey(table, row) !== key) return guest
      return { ...caller, table, row }
    },
  }
}
