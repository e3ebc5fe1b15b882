/**
 * `DELETE /collections/{table}/records/{id}` in the order of contract-records 4.2.
 *
 * @module
 */

import { isSuperusersTable } from '../auth/superusers.ts'
import { badRequest, notFound } from '../errors.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { Answer } from '../http/respond.ts'
import { passes, requestInfo, ruleFor, scopeOf } from '../rules.ts'
import type { Ask } from '../services.ts'
import type { Writer } from '../vocabulary.ts'
import { removeRecord } from './cascade.ts'
import { findRow, findTable } from './find.ts'
import { submit } from './submit.ts'

/**
 * Deletes a record and what hangs on it.
 *
 * @throws ApiError 404 no such table or record, or one that the rule leaves out; 403; 400 when a record that requires
 * it stays behind
 */
export function deleteRecord(ask: Ask, submitted: SubmittedBody, writer: Writer): Answer {
  const table = findTable(ask, writer)
  const rule = ruleFor(ask, table, 'delete')
  const row = findRow(ask, writer, table)
  const { body, sent } = submit(ask, table, submitted, row.values)
  if (!passes(rule, row, scopeOf(ask, writer, table, requestInfo(ask, { values: body, sent }))))
    throw notFound()
  if (isSuperusersTable(table) && writer.count(table) === 1) {
    throw badRequest("You can't delete the only existing superuser.")
  }
  removeRecord(writer, table, row, ask.services.environment)
  return { status: 204 }
}
