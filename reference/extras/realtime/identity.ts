/**
 * Who a connection belongs to. The request that said so is over, so that each event asks again whether the session or
 * key still holds.
 *
 * @module
 */

import type { Caller, FindApiKey, Reader, Row, Table } from '../../vocabulary.ts'

/** What a caller is recognised by later on. */
export interface Identity {
  /** Of the same caller it is the same text. */
  readonly name: string
  /** The caller, or a guest where the session or key has ended. */
  callerIn(reader: Reader): Caller
}

const guest: Caller = { kind: 'guest' }

export const guestIdentity: Identity = { name: '', callerIn: () => guest }

/** What ends all tokens of a record when it changes. */
function sessionKey(table: Table, row: Row): string {
  return `${row.values.tokenKey}${table.definition.authToken?.secret}`
}

/**
 * A session lasts as long as the record and its token key: the expiry of the token ends no connection, since
 * connections are short-lived themselves.
 *
 * @param authorization the header that the caller came with, for API keys
 */
export function identityOf(caller: Caller, authorization: string, findApiKey: FindApiKey): Identity {
  if (caller.kind === 'guest') return guestIdentity
  if (caller.kind === 'key') {
    const text = authorization.replace(/^bearer /i, '')
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
