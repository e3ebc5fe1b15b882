/**
 * A record as the caller may see it (contract-records 5.6): no hidden fields, no private email address, never a
 * password.
 *
 * @module
 */

import { innerFields } from '../../exchange/secrets/secret-key.ts'
import { badRequest, inResponse } from '../errors.ts'
import { expandRecords } from '../query/expand.ts'
import type { Scope } from '../query/scope.ts'
import { manages, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import { type Shown, shownRows } from './shown-rows.ts'

function emailVisible(row: Row, scope: Scope): boolean {
  const { caller } = scope.request
  if (row.values.emailVisibility === true || caller.kind === 'superuser') return true
  if (caller.kind !== 'record') return false
  return (caller.table.id === scope.table.id && caller.row.id === row.id) || manages(row, scope)
}

/**
 * The public form of one record.
 *
 * @param expand the resolved `expand` value; undefined omits the key
 */
function renderRecord(row: Row, table: Table, expand: Shown | undefined, scope: Scope): Shown {
  // A kept form counts as many steps as a new one: the limits of a request must not depend on earlier requests.
  scope.work.spend(table.fields.length)
  if (expand !== undefined) return { ...shownFields(row, table, scope), expand }
  const superuser = scope.request.caller.kind === 'superuser'
  // Who sees the email address of an account depends on the caller.
  if (table.type === 'auth' && !superuser) return shownFields(row, table, scope)
  return shownRows(table, superuser).show(row, () => shownFields(row, table, scope))
}

function shownFields(row: Row, table: Table, scope: Scope): Shown {
  const shown: Shown = { collectionId: table.id, collectionName: table.name }
  const all = scope.request.caller.kind === 'superuser'
  const auth = table.type === 'auth'
  for (const field of table.fields) {
    if (field.hidden && !all) continue
    if (auth && innerFields.has(field.name)) continue
    if (
      auth &&
      field.name === 'email' &&
      !emailVisible(row, scope.table === table ? scope : { ...scope, table })
    )
      continue
    shown[field.name] = field.render(row.values[field.name] ?? field.zero)
  }
  return shown
}

/**
 * Returns a function that creates the public form of a row, with the requested expands.
 *
 * @throws ApiError 400, as does the returned function, if that is too much for a response
 */
export function renderer(
  context: RequestContext,
  reader: Reader,
  table: Table,
  rows: readonly Row[],
  scope?: Scope,
): (row: Row) => Shown {
  const seen = scope ?? ruleScope(context, reader, table)
  const { expand } = context.query
  if (!expand) return (row) => renderRecord(row, table, undefined, seen)
  const { expanded: shown } = context
  const tooMany = () =>
    badRequest(
      inResponse,
      `A response can expand at most ${shown.most} records: request fewer at a time, with a filter or a shorter expand.`,
    )
  // Counted as they are shown, not as they are found: a relation and its back-relation, six levels deep, can show forty
  // records so often that the response exceeds the maximum string length.
  let found = 0
  const options = {
    text: expand,
    mostNames: context.services.limits.names,
    found(records: number) {
      found += records
      if (shown.records + found > shown.most) throw tooMany()
    },
  }
  const expanded = expandRecords(rows, table, options, seen, (...each) => {
    shown.records += 1
    if (shown.records > shown.most) throw tooMany()
    return renderRecord(...each)
  })
  return (row) => renderRecord(row, table, expanded(row), seen)
}

/** One record with the requested expands. */
export function renderOne(
  context: RequestContext,
  reader: Reader,
  table: Table,
  row: Row,
  scope?: Scope,
): Shown {
  return renderer(context, reader, table, [row], scope)(row)
}
