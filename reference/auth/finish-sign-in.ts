/**
 * The steps after a factor is proven: authRule, the second factor, the email about a new location, the response
 * (contract-auth 3.3).
 *
 * @module
 */

import { badRequest } from '../errors.ts'
import { reauthenticate } from '../http/handle.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { Json } from '../vocabulary.ts'
import { authResponse, requireAuthRule } from './auth-response.ts'
import { type ProvenFactor, stepMfa } from './mfa.ts'
import { noteOrigin } from './note-origin.ts'
import { isSuperusersTable, rejectForeignAddress } from './superusers.ts'

/**
 * The authentication response, or the challenge for a second factor. Rules are evaluated for the caller that the
 * request's token identifies at that time.
 *
 * @throws ApiError 403 rejected by authRule; 400 a second factor that does not fit
 */
export async function finishSignIn(
  original: RequestContext,
  request: Request,
  proven: ProvenFactor & { meta?: Json },
): Promise<OperationResult> {
  const { table, method, body, meta } = proven
  const context: RequestContext = { ...original, c: method }
  const { store, tokens } = context.services
  if (isSuperusersTable(table)) rejectForeignAddress(context)
  const { row, step } = await store.transaction(async (writer) => {
    const now = await reauthenticate(context, request, writer)
    const present = writer.get(table, proven.row.id)
    // The proof may have become invalid while the request waited: a new password must end sign-ins with the old one.
    if (present === undefined || present.values.tokenKey !== proven.row.values.tokenKey) {
      throw badRequest(
        () => `${table.name}/${proven.row.id} was changed or deleted while it signed in.`,
        'Failed to authenticate.',
      )
    }
    requireAuthRule(now, writer, table, present, body)
    return { row: present, step: stepMfa(now, writer, { ...proven, row: present }) }
  })
  if (step.kind === 'rejected') throw step.error
  if (step.kind === 'challenge') {
    const note = () =>
      `The first factor, ${method}, is right, and mfa.enabled of "${table.name}" is true: sign in by another method, with the mfaId of the response.`
    return { status: 401, body: { mfaId: step.mfaId }, note }
  }
  await noteOrigin(context, table, row)
  const token = await tokens.sign(table, row, 'auth')
  return authResponse(context, store.current, { table, row, token, meta })
}
