/**
 * Operations that a target declares absent, by themselves or with a capability. Being silent about one is no declaration,
 * and neither is a 404. Pure.
 *
 * @module
 */

import { operationsOf } from '../spec/capabilities.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import type { Target } from './vocabulary/target.ts'

/** Whether the target says that it lacks the operation. */
export function isAbsent(
  { capabilities, operations }: Pick<Target, 'capabilities' | 'operations'>,
  operation: OperationId,
): boolean {
  if (operations?.[operation] !== undefined) return !operations[operation]
  return Object.entries(operationsOf).some(
    ([capability, its]) => its.includes(operation) && capabilities[capability] === false,
  )
}

/** Whether the target says that it lacks the capability, or an operation of it. */
export function lacks(target: Pick<Target, 'capabilities' | 'operations'>, capability: string): boolean {
  return (
    target.capabilities[capability] === false ||
    (operationsOf[capability] ?? []).some((operation) => isAbsent(target, operation))
  )
}
