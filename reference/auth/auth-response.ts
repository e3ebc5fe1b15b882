/**
 * The last step of every sign-in: whether the record may sign in, and the response with its token (contract-auth 3.3,
 * 3.4).
 *
 * @module
 */

import { forbidden } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import { satisfies } from '../query/rule.ts'
import { unmetRule } from '../reasons/reasons.ts'
import { renderOne } from '../records/render.ts'
import { requestInfo, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Caller, Json, Reader, Row, Table } from '../vocabulary.ts'
import { isSuperusersTable } from './superusers.ts'

/**
 * Evaluates the table's authRule for the record. It runs as the caller, usually a guest; superusers always pass.
 *
 * @throws ApiError 403
 */
export function requireAuthRule(
  context: RequestContext,
  reader: Reader,
  table: Table,
  row: Row,
  body: Record<string, Json> = {},
): void {
  if (context.caller.kind === 'superuser') return
  const rule = table.rule('authRule')
  if (rule === '') return
  const request = requestInfo(context, { values: body, sent: new Set(Object.keys(body)) })
  const scope = ruleScope(context, reader, table, request)
  if (rule !== null && satisfies(table, rule, row, scope)) return
  throw forbidden(
    unmetRule(context, 'authRule', rule, row, scope),
    "The request doesn't satisfy the collection requirements to authenticate.",
  )
}

/** A token, with the record that it belongs to. */
interface RecordToken {
  table: Table
  row: Row
  token: string
  /** What an identity provider says of the user. */
  meta?: Json | undefined
}

/** The authentication response. The record is shown, and expanded, as it sees itself. */
export function authResponse(
  context: RequestContext,
  reader: Reader,
  { table, row, token, meta }: RecordToken,
): OperationResult {
  const facts = { text: token, refreshable: true, expires: 0 }
  const caller: Caller = { kind: isSuperusersTable(table) ? 'superuser' : 'record', table, row, token: facts }
  const record = renderOne({ ...context, caller }, reader, table, row)
  return { status: 200, body: { record, token, ...(meta !== undefined && { meta }) } }
}
