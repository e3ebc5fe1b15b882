/**
 * Who stands in for guests at a table that takes records only from an account, or from a superuser. The document does not
 * say who may use a table: the checks of records can be run with an account as well.
 *
 * @module
 */

import { batchEntries, matchEntry } from '../../exchange/batch-entries.ts'
import { isObject } from '../../exchange/json-object.ts'
import { matchOperation } from '../../exchange/operation.ts'
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

type Standing = Pick<Wire & TargetFacts, 'standIns' | 'binding' | 'target'>

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
  return recordOperations.has(match.operation.id) ? standIns.get(match.params.table ?? '') : undefined
}

/** Names, or identifiers, of the tables that a batch writes to. */
function tablesIn(body: string | Uint8Array | undefined, prefix: string): string[] {
  return (batchEntries(body) ?? []).map((entry) => matchEntry(entry, prefix)?.params.table ?? '')
}

/**
 * A batch has one sender. Where its tables have different ones, that is the superuser. A batch that writes to a table of the
 * target at which no one stands in has none: what guests may do there is judged.
 */
function batchToken({ standIns, target }: Standing, written: readonly string[]): string | undefined {
  const tables = Object.values(target.tables)
  if (tables.some(({ name }) => !standIns.has(name) && written.includes(name))) return undefined
  const tokens = written.flatMap((name) => standIns.get(name) ?? [])
  const ofSuperuser = tables.filter((each) => each.as === 'superuser').map(({ name }) => standIns.get(name))
  return tokens.find((token) => ofSuperuser.includes(token)) ?? tokens[0] ?? [...standIns.values()][0]
}

/** Learns the identifier of a table from a record: a path may name the table by it, too. */
export function learnIdentifier({ standIns }: Standing, record: unknown): void {
  if (standIns.size === 0 || !isObject(record)) return
  const { collectionId, collectionName } = record
  const token = standIns.get(String(collectionName))
  if (token !== undefined && typeof collectionId === 'string') standIns.set(collectionId, token)
}
