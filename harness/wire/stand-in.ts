/**
 * Who stands in for guests at a table that takes records only from an account, or from a superuser. The document does not
 * say whom a table lets in: the checks of records can be run with an account as well.
 *
 * @module
 */

import { matchOperation } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { Session } from '../vocabulary/session.ts'
import { makePaths } from './paths.ts'

const recordOperations: ReadonlySet<OperationId> = new Set<OperationId>([
  'listRecords',
  'viewRecord',
  'createRecord',
  'updateRecord',
  'deleteRecord',
])

/** The token that a guest's request is sent with; undefined where it is sent without. */
export function standInToken(
  { standIns, binding }: Pick<Session, 'standIns' | 'binding'>,
  { method, path }: { method: string; path: string },
): string | undefined {
  if (standIns.size === 0) return undefined
  const match = matchOperation(method, path, makePaths(binding).prefix)
  if (match === undefined) return undefined
  if (match.operation.id === 'batch') return standIns.values().next().value
  return recordOperations.has(match.operation.id) ? standIns.get(match.params.table ?? '') : undefined
}
