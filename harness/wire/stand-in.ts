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
  if (match.operation.id === 'batch')
    return writesElsewhere(session, body, prefix) ? undefined : standIns.values().next().value
  return recordOperations.has(match.operation.id) ? standIns.get(match.params.table ?? '') : undefined
}

/** Whether a batch writes to a table of the target at which no one stands in: what guests may do there is judged. */
function writesElsewhere(
  { standIns, target }: Standing,
  body: string | Uint8Array | undefined,
  prefix: string,
): boolean {
  const others = new Set(Object.values(target.tables).map(({ name }) => name))
  for (const name of standIns.keys()) others.delete(name)
  return (batchEntries(body) ?? []).some((entry) => others.has(matchEntry(entry, prefix)?.params.table ?? ''))
}

/** Learns the identifier of a table from a record: a path may name the table by it, too. */
export function learnIdentifier({ standIns }: Standing, record: unknown): void {
  if (standIns.size === 0 || !isObject(record)) return
  const { collectionId, collectionName } = record
  const token = standIns.get(String(collectionName))
  if (token !== undefined && typeof collectionId === 'string') standIns.set(collectionId, token)
}
