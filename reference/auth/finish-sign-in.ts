/**
 * What follows when a factor is proven: authRule, the second factor, the mail about a new place, the answer
 * (contract-auth 3.3).
 *
 * @module
 */

import { badRequest } from '../errors.ts'
import { askedNow } from '../http/handle.ts'
import type { Answer } from '../http/respond.ts'
import type { Ask } from '../services.ts'
import type { Json, Row, Table } from '../vocabulary.ts'
import { noteOrigin } from './auth-alert.ts'
import { authResponse, requireAuthRule } from './auth-response.ts'
import { type SignInMethod, stepMfa } from './mfa.ts'
import { isSuperusersTable, refuseForeignAddress } from './superusers.ts'

/** A factor that was proven. */
export interface ProvenFactor {
  table: Table
  /** Whose it is, as it was when it was proven. */
  row: Row
  method: SignInMethod
  /** As sent, for rules and `mfaId`. */
  body: Record<string, Json>
  meta?: Json
}

/**
 * The authentication response, or the challenge for a second factor. Rules are asked as whoever the request's token
 * stands for by then.
 *
 * @throws ApiError 403 refused by authRule; 400 a second factor that does not fit
 */
export async function finishSignIn(asked: Ask, request: Request, proven: ProvenFactor): Promise<Answer> {
  const { table, method, body, meta } = proven
  const ask: Ask = { ...asked, context: method }
  const { store, tokens } = ask.services
  if (isSuperusersTable(table)) refuseForeignAddress(ask)
  const { row, step } = await store.transaction(async (writer) => {
    const now = await askedNow(ask, request, writer)
    const present = writer.get(table, proven.row.id)
    // What was proven may have been taken back while this waited: a new password must end what the old one opens.
    if (present === undefined || present.values.tokenKey !== proven.row.values.tokenKey) {
      throw badRequest('Failed to authenticate.')
    }
    requireAuthRule(now, writer, table, present, body)
    return { row: present, step: stepMfa(now, writer, table, present, method, body) }
  })
  if (step.kind === 'refused') throw step.error
  if (step.kind === 'challenge') return { status: 401, body: { mfaId: step.mfaId } }
  await noteOrigin(ask, table, row)
  return authResponse(ask, store.current, table, row, await tokens.sign(table, row, 'auth'), meta)
}
