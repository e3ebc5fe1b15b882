/**
 * `GET /collections/{table}/records` in the order of contract-records 1.1.
 *
 * @module
 */

import type { OperationResult } from '../http/respond.ts'
import { parsePagination } from '../query/pagination.ts'
import { selectPage } from '../query/select-page.ts'
import { leftOut } from '../reasons/notes.ts'
import { rejectRestricted, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Reader } from '../vocabulary.ts'
import { findTable } from './find.ts'
import { renderer } from './render.ts'

/** @throws ApiError 404 no such table; 403; QueryError for an invalid parameter */
export async function listRecords(context: RequestContext, reader: Reader): Promise<OperationResult> {
  const table = findTable(context, reader)
  const rule = ruleFor(context, table, 'list')
  const { filter = '', sort = '' } = context.query
  rejectRestricted(context.caller, filter, sort)
  const pagination = parsePagination(context.query)
  const scope = ruleScope(context, reader, table)
  const { environment } = context.services
  const { rows, totalItems, totalPages } = await selectPage(table, {
    rule,
    filter,
    sort,
    paging: pagination,
    scope,
    environment,
  })
  const render = renderer(context, reader, table, rows, scope)
  const items: Json[] = []
  for (const row of rows) {
    if (context.work.endPiece()) await context.work.rest()
    items.push(render(row))
  }
  // With `skipTotal` a page after the last one is not known from an empty list.
  const isEmpty = totalItems === 0 || (totalItems < 0 && rows.length === 0 && pagination.page === 1)
  return {
    status: 200,
    list: true,
    body: { items, page: pagination.page, perPage: pagination.perPage, totalItems, totalPages },
    note: isEmpty && (rule !== '' || filter.includes('.')) ? leftOut(context, rule, scope) : undefined,
  }
}
