/**
 * Finds the failed requirement that keeps another from being judged, in addition to those in its `after`. Pure.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { existenceOf, isExistence } from '../../spec/capability-operations.ts'
import { isAboutEveryResponse } from '../../spec/is-about-every-response.ts'
import type { OperationId, Requirement } from '../../spec/vocabulary.ts'
import { isUnavailable } from '../ownership/says-gone.ts'
import type { Finding } from '../vocabulary/finding.ts'

type EarlierFindings = ReadonlyMap<string, Pick<Finding, 'status'>>

/**
 * The failed requirement that an operation exists, of those that this requirement is about: without the endpoint, a
 * check of it would only repeat this failure.
 */
export function missingOperation(
  { id, operations }: Pick<Requirement, 'id' | 'operations'>,
  earlier: EarlierFindings,
): string | undefined {
  if (isExistence(id) || isAboutEveryResponse(id)) return undefined
  return operations.map(existenceOf).find((existence) => earlier.get(existence)?.status === 'fail')
}

/**
 * The missing operation that a failed check needed as a step: its last request was rejected because the server does not
 * have that operation. A separate requirement states that the operation exists, so this check does not fail for it.
 *
 * @returns also the requirement that the operation exists, if it failed. A run that does not check it knows only what the
 *   status says, and a requirement about the operation is not excused by that.
 */
export function missingOnTheWay(
  { id, operations }: Pick<Requirement, 'id' | 'operations'>,
  exchanges: readonly Exchange[],
  earlier: EarlierFindings,
): { operation: OperationId; status: number; existence: string | undefined } | undefined {
  // A check looks at the sign-in methods to explain a rejection, and not as a step.
  const isStep = ({ operation }: Exchange) =>
    operation !== 'listAuthMethods' || operations.includes(operation)
  const { operation, response } = exchanges.findLast(isStep) ?? {}
  if (operation === undefined || response === undefined || response.status < 400) return undefined
  const { status } = response
  const existence = existenceOf(operation)
  if (id === existence) return undefined
  const verdict = earlier.get(existence)?.status
  if (verdict === 'fail') return { operation, status, existence }
  const isExcused = verdict === undefined && isUnavailable(response) && !operations.includes(operation)
  return isExcused ? { operation, status, existence: undefined } : undefined
}

/**
 * The failed requirement that makes a precondition fail: one about the last operation that was rejected.
 * The existence of an operation comes first, then what was checked first.
 */
export function blockerOf(
  exchanges: readonly Exchange[],
  earlier: EarlierFindings,
  requirements: ReadonlyMap<string, Pick<Requirement, 'operations'>>,
): string | undefined {
  const operation = exchanges.findLast(({ response }) => response === undefined || response.status >= 400)
    ?.operation as OperationId | undefined
  if (operation === undefined) return undefined
  const existence = existenceOf(operation)
  if (earlier.get(existence)?.status === 'fail') return existence
  return [...earlier]
    .filter(([, { status }]) => status === 'fail')
    .map(([id]) => id)
    .find((id) => requirements.get(id)?.operations[0] === operation && !isAboutEveryResponse(id))
}
