/**
 * Who stands in for guests at a table that takes records only from an account, or from a superuser. The document does not
 * say who may use a table: the checks of records can be run with an account as well.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
import { openRoles } from '../../spec/tables.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { TargetFacts } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from './paths.ts'

const recordOperations: ReadonlySet<OperationId> = new Set<OperationId>([
  'listRecords',
  'viewRecord',
  'createRecord',
  'updateRecord',
  'deleteRecord',
])

type Standing = Pick<Wire & TargetFacts, 'standIns' | 'identifiers' | 'binding' | 'target'>

/** The token that a guest's request is sent with; undefined if it is sent without. */
export function standInToken(
  session: Standing,
  { method, path, body }: { method: string; path: string; body?: string | Uint8Array },
): string | undefined {
  const { standIns, binding } = session
  if (standIns.size === 0) return undefined
  const { prefix } = makePaths(binding)
  const match = matchOperation(method, path, prefix)
  if (match === undefined) return undefined
  if (match.operation.id === 'batch') return batchToken(session, tablesIn(body, prefix))
  return recordOperations.has(match.operation.id) ? standInAt(session, match.params.table ?? '') : undefined
}

/** The token of who stands in at a table, given by its name or its identifier. Undefined if there is none. */
export function standInAt(
  { standIns, identifiers }: Pick<TargetFacts, 'standIns' | 'identifiers'>,
  table: string,
): string | undefined {
  return standIns.get(identifiers.get(table) ?? table)
}

/** Names, or identifiers, of the tables that a batch writes to. */
function tablesIn(body: string | Uint8Array | undefined, prefix: string): string[] {
  return (batchEntries(body) ?? []).map((entry) => matchEntry(entry, prefix)?.params.table ?? '')
}

/** Roles of tables that everyone may write to, so also who stands in for guests elsewhere. */
const writableRoles = openRoles('createRule', 'updateRule', 'deleteRule')

/**
 * A batch has one sender. If its tables have different ones, the superuser sends it. A batch that writes to a table that is
 * closed to guests by its role, and that names no other client, has none: what guests may do there is judged.
 */
function batchToken(session: Standing, written: readonly string[]): string | undefined {
  const { standIns, identifiers, target } = session
  const tables = Object.values(target.tables)
  const names = written.map((table) => identifiers.get(table) ?? table)
  const tokens = names.flatMap((name) => standIns.get(name) ?? [])
  const withoutStandIn = tables.filter(({ name }) => names.includes(name) && !standIns.has(name))
  const isForAnyone = withoutStandIn.every(({ role }) => writableRoles.has(role))
  if (withoutStandIn.length > 0 && (tokens.length === 0 || !isForAnyone)) return undefined
  const ofSuperuser = tables.filter((each) => each.as === 'superuser').map(({ name }) => standIns.get(name))
  return tokens.find((token) => ofSuperuser.includes(token)) ?? tokens[0] ?? [...standIns.values()][0]
}

/** Learns identifiers of the target's tables from a record or a list: a path may name a table by it, too. */
export function learnIdentifiers(
  { standIns, identifiers, target }: Pick<Standing, 'standIns' | 'identifiers' | 'target'>,
  body: unknown,
): void {
  if (standIns.size === 0 || !isObject(body)) return
  const names = new Set(Object.values(target.tables).map(({ name }) => name))
  for (const record of [body, ...(Array.isArray(body.items) ? body.items : [])]) {
    if (!isObject(record) || typeof record.collectionId !== 'string') continue
    const name = String(record.collectionName)
    if (names.has(name) && !names.has(record.collectionId)) identifiers.set(record.collectionId, name)
  }
}
