/**
 * `PATCH /collections/{table}/records/{id}` in the order of contract-records 4.2.
 *
 * @module
 */

import { badRequest, type ErrorData, notFound } from '../errors.ts'
import { validateValues } from '../fields/validate-values.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { OperationResult } from '../http/respond.ts'
import { unkeptParts } from '../reasons/notes.ts'
import { invalidFields, unmetRule } from '../reasons/reasons.ts'
import { manages, passes, requestInfo, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Writer } from '../vocabulary.ts'
import { accountErrors } from './account-errors.ts'
import { findRow, findTableToWrite } from './find.ts'
import { renderOne } from './render.ts'
import { save } from './save.ts'
import { submitBody } from './submit-body.ts'

const rejection = 'Failed to update record.'

/**
 * Changes the fields that were sent. The rule is evaluated for the stored record; it sees new values as
 * `@request.body`.
 *
 * @throws ApiError 404 no such table or record, or one that the rule hides; 403; 400 invalid (with data)
 */
export function updateRecord(
  context: RequestContext,
  submitted: SubmittedBody,
  writer: Writer,
): OperationResult {
  const table = findTableToWrite(context, writer)
  const rule = ruleFor(context, table, 'update')
  const stored = findRow(context, writer, table)
  const submission = submitBody(context, table, submitted, stored.values)
  const scope = ruleScope(
    context,
    writer,
    table,
    requestInfo(context, { values: submission.body, sent: submission.sent }),
  )
  if (!passes(rule, stored, scope)) throw notFound(unmetRule(context, 'updateRule', rule, stored, scope))

  const { environment } = context.services
  const invalid = (errors: ErrorData) =>
    badRequest(invalidFields(table, submitted, errors), rejection, errors)
  if (table.type === 'auth') {
    const manager = manages(stored, scope)
    const errors = accountErrors({ stored, manager, submission, submitted, environment })
    if (Object.keys(errors).length > 0) throw invalid(errors)
  }
  const errors = validateValues(table, submission.values, {
    reader: writer,
    stored: stored.values,
    uploads: submission.uploads,
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const row = save(writer, { table, submission, stored, environment, rejection })
  return {
    status: 200,
    body: renderOne(context, writer, table, row),
    note: unkeptParts(table, submitted),
  }
}
