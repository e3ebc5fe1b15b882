/**
 * The caller of a request, from its Authorization header. An invalid token makes the caller a guest and is never an
 * error (contract-auth 1.2).
 *
 * @module
 */

import { sentToken } from '../../exchange/sent-token.ts'
import type { Caller, FindApiKey, Reader } from '../vocabulary.ts'
import { isSuperusersTable } from './superusers.ts'
import type { Tokens } from './tokens.ts'

const guest: Caller = { kind: 'guest' }

/** The caller that an Authorization header identifies. */
export async function resolveCaller(
  authorization: string | null,
  reader: Reader,
  tokens: Tokens,
  findApiKey: FindApiKey,
): Promise<Caller> {
  if (!authorization) return guest
  const text = sentToken(authorization)
  const key = findApiKey(text)
  if (key) return { kind: 'key', key }
  const verified = await tokens.verify(reader, text, 'auth')
  if (verified === undefined) return guest
  const { table, row, claims } = verified
  const token = { text, refreshable: claims.refreshable === true, expires: claims.exp }
  return { kind: isSuperusersTable(table) ? 'superuser' : 'record', table, row, token }
}
