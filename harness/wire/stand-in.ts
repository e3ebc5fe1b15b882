/**
 * The account that stands in for guests, where an exploration found a table that takes records from accounts only. The
 * document does not say who may use a table: the checks of records can be run with an account as well.
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
  { standIn, binding }: Pick<Session, 'standIn' | 'binding'>,
  { method, path }: { method: string; path: string },
): string | undefined {
  if (standIn === undefined) return undefined
  const match = matchOperation(method, path, makePaths(binding).prefix)
  if (match === undefined) return undefined
  if (match.operation.id === 'batch') return standIn.token
  const isRecord = recordOperations.has(match.operation.id)
  return isRecord && standIn.tables.has(match.params.table ?? '') ? standIn.token : undefined
}
