/**
 * Faults on demand for those who are not in this process.
 *
 * @module
 */

import type { Reference } from '../reference/reference.ts'
import type { FaultOptions } from '../reference/testing/faults.ts'
import type { JsonObject } from './answer.ts'

/**
 * `{ match?, status?, body?, headers?, delay?, drop?, expired?, times?, after? }` plans one; `{ clear: true }` ends all.
 *
 * @throws TypeError for a key that no fault has; RangeError for values that make no fault
 */
export function planFault(reference: Reference, body: JsonObject): { planned: boolean } {
  if (body.clear === true) {
    reference.clearFaults()
    return { planned: false }
  }
  reference.fault(body as FaultOptions)
  return { planned: true }
}
