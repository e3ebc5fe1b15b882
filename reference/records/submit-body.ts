/**
 * Applies a body to a record, with the rights of the caller (contract-records 3.7, 4.4).
 *
 * @module
 */

import { type ResolvedBody, resolveBody } from '../fields/resolve-body.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { RequestContext } from '../services.ts'
import type { Field, Table, Values } from '../vocabulary.ts'

/** Only superusers set hidden fields. The password of an auth table is hidden, but everyone may set their own. */
function isOutOfReach(field: Field, table: Table, context: RequestContext): boolean {
  if (!field.hidden || context.caller.kind === 'superuser') return false
  return table.type !== 'auth' || field.name !== 'password'
}

/** Applies a body to stored values, or to a new record. Values that the caller may not set are ignored. */
export function submitBody(
  context: RequestContext,
  table: Table,
  { values, files }: SubmittedBody,
  stored?: Values,
): ResolvedBody {
  const parts = files.size === 0 ? {} : Object.fromEntries(files)
  return resolveBody(table, stored, values, parts, context.services.environment, (field) =>
    isOutOfReach(field, table, context),
  )
}
