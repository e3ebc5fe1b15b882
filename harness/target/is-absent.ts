/**
 * Operations that a target declares absent, individually or with a capability. Neither a missing entry nor a 404 is a
 * declaration. Pure.
 *
 * @module
 */

import { capabilityOperations } from '../../spec/capability-operations.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { Target } from '../vocabulary/target.ts'

/** Whether the target declares the operation absent. */
export function isAbsent(
  { capabilities, operations }: Pick<Target, 'capabilities' | 'operations'>,
  operation: OperationId,
): boolean {
  if (operations?.[operation] !== undefined) return !operations[operation]
  return Object.entries(capabilityOperations).some(
    ([capability, its]) => its.includes(operation) && capabilities[capability] === false,
  )
}

/** Whether the target declares the capability, or an operation of it, absent. */
export function lacks(target: Pick<Target, 'capabilities' | 'operations'>, capability: string): boolean {
  return (
    target.capabilities[capability] === false ||
    (capabilityOperations[capability] ?? []).some((operation) => isAbsent(target, operation))
  )
}
