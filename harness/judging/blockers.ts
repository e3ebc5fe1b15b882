/**
 * Finds the failed requirement that keeps another from being judged, in addition to those in its `after`. Pure.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { existenceOf } from '../../spec/capability-operations.ts'
import type { OperationId, Requirement } from '../../spec/vocabulary.ts'
import type { Finding } from '../vocabulary/finding.ts'

type Known = ReadonlyMap<string, Pick<Finding, 'status'>>

/**
 * The failed requirement that an operation exists, of those that this requirement is about: without the endpoint, a
 * check of it would only repeat this failure. Requirements for every response are checked at the operations that exist.
 */
export function missingOperation(
  { id, operations }: Pick<Requirement, 'id' | 'operations'>,
  known: Known,
): string | undefined {
  if (/^(?:operation|wire)\./.test(id)) return undefined
  return operations.map(existenceOf).find((existence) => known.get(existence)?.status === 'fail')
}

/**
 * The failed requirement that makes a precondition fail: one about the last operation that was rejected.
 * The existence of an operation comes first, then what was checked first.
 */
export function blockerOf(
  exchanges: readonly Exchange[],
  known: Known,
  requirements: ReadonlyMap<string, Pick<Requirement, 'operations'>>,
): string | undefined {
  const operation = exchanges.findLast(({ response }) => response === undefined || response.status >= 400)
    ?.operation as OperationId | undefined
  if (operation === undefined) return undefined
  const existence = existenceOf(operation)
  if (known.get(existence)?.status === 'fail') return existence
  return [...known]
    .filter(([, { status }]) => status === 'fail')
    .map(([id]) => id)
    .find((id) => requirements.get(id)?.operations[0] === operation && !id.startsWith('wire.'))
}
