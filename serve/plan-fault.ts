/**
 * Faults on demand for those who are not in this process.
 *
 * @module
 */

import type { Reference } from '../reference/reference.ts'
import type { FaultOptions } from '../reference/testing/faults.ts'
import { didYouMean } from '../spec/nearest.ts'
import { AskedWrongly, type JsonObject } from './answer.ts'

const known = ['match', 'status', 'body', 'headers', 'delay', 'drop', 'expired', 'times', 'after']

/**
 * `{ match?, status?, body?, headers?, delay?, drop?, expired?, times?, after? }` plans one; `{ clear: true }` ends all.
 *
 * @throws AskedWrongly for a key that no fault has; RangeError for values that make no fault
 */
export function planFault(reference: Reference, body: JsonObject): { planned: boolean } {
  if (body.clear === true) {
    reference.clearFaults()
    return { planned: false }
  }
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new AskedWrongly(`A fault has no "${unknown}".${didYouMean(unknown, known)}`)
  reference.fault(body as FaultOptions)
  return { planned: true }
}
