/**
 * Sign-in in two steps (contract-auth section 4): the first factor returns an `mfaId`, and a second factor completes
 * the sign-in.
 *
 * @module
 */

import { type ApiError, badRequest, type RejectionReason } from '../errors.ts'
import { compileFilter, optionsFor } from '../query/compile.ts'
import { QueryError } from '../query/query-error.ts'
import { requestInfo, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Reader, Row, Table, Writer } from '../vocabulary.ts'
import { addOwned, isOlder, lifetimeOf, makeRoom, ownedTable } from './owned-rows.ts'

/** A factor that was proven. */
export interface ProvenFactor {
  table: Table
  /** The record that it was proven for, as it was at that time. */
  row: Row
  method: 'password' | 'otp' | 'oauth2'
  /** The body as sent, for rules and `mfaId`. */
  body: Record<string, Json>
}

/**
 * The result of a proven factor. A rejection is a value and not an exception, so that rows removed before it stay
 * removed.
 */
export type MfaStep =
  | { kind: 'done' }
  | { kind: 'challenge'; mfaId: string }
  | { kind: 'rejected'; error: ApiError }

/**
 * Whether the record needs a second factor. The rule is evaluated for the caller, and applies to superusers as well.
 *
 * @returns undefined if the rule cannot be evaluated for this caller: this must not bypass the second factor
 */
function wantsMfa(
  context: RequestContext,
  reader: Reader,
  { table, row, body }: ProvenFactor,
): boolean | undefined {
  const { mfa } = table.definition
  if (!mfa?.enabled) return false
  if (!mfa.rule) return true
  const request = requestInfo(context, { values: body, sent: new Set(Object.keys(body)) })
  const scope = { ...ruleScope(context, reader, table, request), superuser: false }
  try {
    return compileFilter(mfa.rule, optionsFor(scope, table, 'rule')).matches(row, scope)
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

const rejected = (reason: RejectionReason, message: string): MfaStep => ({
  kind: 'rejected',
  error: badRequest(reason, message),
})

/** Starts or completes a two-step sign-in, after authRule accepted the record. */
export function stepMfa(context: RequestContext, writer: Writer, proven: ProvenFactor): MfaStep {
  const { table, row, method, body } = proven
  const wanted = wantsMfa(context, writer, proven)
  if (wanted === undefined)
    return rejected(
      () => `mfa.rule of "${table.name}" cannot be evaluated for this caller: ${table.definition.mfa?.rule}`,
      'Failed to authenticate.',
    )
  if (!wanted) return { kind: 'done' }
  const { environment } = context.services
  const sent = context.query.mfaId || (body.mfaId ?? '')
  if (typeof sent !== 'string')
    return rejected(() => '"mfaId" of the body is not a string.', 'Failed to read MFA Id.')
  if (sent === '') {
    makeRoom(writer, 'mfas', table, row, environment)
    const { id } = addOwned(writer, 'mfas', table, row, { method }, environment)
    return { kind: 'challenge', mfaId: id }
  }
  const sessions = ownedTable(writer, 'mfas')
  const session = writer.get(sessions, sent)
  if (session === undefined)
    return rejected(
      () => 'There is no sign-in with this mfaId: it was completed, has expired, or never began.',
      'Invalid or expired MFA session.',
    )
  if (isOlder(session, lifetimeOf('mfas', table), environment)) {
    writer.remove(sessions, session)
    return rejected(
      () =>
        `The first factor was proven at ${session.values.created}, and the second must follow within ${lifetimeOf('mfas', table)} s (mfa.duration).`,
      'Invalid or expired MFA session.',
    )
  }
  const { recordRef, collectionRef } = session.values
  if (recordRef !== row.id || collectionRef !== table.id)
    return rejected(
      () => `The first factor is of another record than the second, which is of ${table.name}/${row.id}.`,
      'Invalid MFA session.',
    )
  if (session.values.method === method)
    return rejected(
      () => `Both factors are ${method}: the second must be another method.`,
      'A different authentication method is required.',
    )
  writer.remove(sessions, session)
  return { kind: 'done' }
}
