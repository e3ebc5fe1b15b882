/**
 * `DELETE /collections/{table}/records/{id}` in the order of contract-records 4.2.
 *
 * @module
 */

import { isSuperusersTable } from '../auth/superusers.ts'
import { badRequest, inResponse, notFound } from '../errors.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { OperationResult } from '../http/respond.ts'
import { unmetRule } from '../reasons/reasons.ts'
import { passes, requestInfo, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Writer } from '../vocabulary.ts'
import { findRow, findTable } from './find.ts'
import { removeRecord } from './remove-record.ts'
import { submitBody } from './submit-body.ts'

/**
 * Deletes a record and everything that depends on it.
 *
 * @throws ApiError 404 no such table or record, or one that the rule hides; 403; 400 if a record that requires it would
 * remain
 */
export function deleteRecord(
  context: RequestContext,
  submitted: SubmittedBody,
  writer: Writer,
): OperationResult {
  const table = findTable(context, writer)
  const rule = ruleFor(context, table, 'delete')
  const row = findRow(context, writer, table)
  const { body, sent } = submitBody(context, table, submitted, row.values)
  const scope = ruleScope(context, writer, table, requestInfo(context, { values: body, sent }))
  if (!passes(rule, row, scope)) throw notFound(unmetRule(context, 'deleteRule', rule, row, scope))
  if (isSuperusersTable(table) && writer.count(table) === 1) {
    throw badRequest(inResponse, "You can't delete the only existing superuser.")
  }
  removeRecord(writer, table, row, context.services.environment)
  return { status: 204 }
}
