/**
 * `GET /collections/{table}/records` in the order of contract-records 1.1.
 *
 * @module
 */

import type { Answer } from '../http/respond.ts'
import { selectPage } from '../query/list.ts'
import { parsePaging } from '../query/page.ts'
import { refuseRestricted, ruleFor, scopeOf } from '../rules.ts'
import type { Ask } from '../services.ts'
import type { Json, Reader } from '../vocabulary.ts'
import { findTable } from './find.ts'
import { renderer } from './render.ts'

/** @throws ApiError 404 no such table; 403; QueryError for anything wrong with the parameters. */
export async function listRecords(ask: Ask, reader: Reader): Promise<Answer> {
  const table = findTable(ask, reader)
  const rule = ruleFor(ask, table, 'list')
  const { filter = '', sort = '' } = ask.query
  refuseRestricted(ask.caller, filter, sort)
  const paging = parsePaging(ask.query)
  const scope = scopeOf(ask, reader, table)
  const { environment } = ask.services
  const { rows, totalItems, totalPages } = await selectPage(table, {
    rule,
    filter,
    sort,
    paging,
    scope,
    environment,
  })
  const render = renderer(ask, reader, table, rows, scope)
  const items: Json[] = []
  for (const row of rows) {
    if (ask.work.endPiece()) await ask.work.rest()
    items.push(render(row))
  }
  return { status: 200, body: { items, page: paging.page, perPage: paging.perPage, totalItems, totalPages } }
}
