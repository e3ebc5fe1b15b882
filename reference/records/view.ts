/**
 * `GET /collections/{table}/records/{id}` in the order of contract-records 4.2.
 *
 * @module
 */

import { notFound } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import { unmetRule } from '../reasons/reasons.ts'
import { passes, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Reader } from '../vocabulary.ts'
import { findRow, findTable } from './find.ts'
import { renderOne } from './render.ts'

/** @throws ApiError 404 no such table or record, or one that the rule hides; 403 */
export function viewRecord(context: RequestContext, reader: Reader): OperationResult {
  const table = findTable(context, reader)
  const rule = ruleFor(context, table, 'view')
  const row = findRow(context, reader, table)
  const scope = ruleScope(context, reader, table)
  if (!passes(rule, row, scope)) throw notFound(unmetRule(context, 'viewRule', rule, row, scope))
  return { status: 200, body: renderOne(context, reader, table, row, scope) }
}
