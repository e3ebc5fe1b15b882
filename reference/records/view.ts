/**
 * `GET /collections/{table}/records/{id}` in the order of contract-records 4.2.
 *
 * @module
 */

import { notFound } from '../errors.ts'
import type { Answer } from '../http/respond.ts'
import { passes, ruleFor, scopeOf } from '../rules.ts'
import type { Ask } from '../services.ts'
import type { Reader } from '../vocabulary.ts'
import { findRow, findTable } from './find.ts'
import { renderOne } from './render.ts'

/** @throws ApiError 404 no such table or record, or one that the rule leaves out; 403. */
export function viewRecord(ask: Ask, reader: Reader): Answer {
  const table = findTable(ask, reader)
  const rule = ruleFor(ask, table, 'view')
  const row = findRow(ask, reader, table)
  const scope = scopeOf(ask, reader, table)
  if (!passes(rule, row, scope)) throw notFound()
  return { status: 200, body: renderOne(ask, reader, table, row, scope) }
}
