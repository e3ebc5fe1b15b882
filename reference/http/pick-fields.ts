/**
 * The `fields` parameter on responses (contract-records 1.7). It is parsed before anything else, so that a mistake in
 * it never makes a request fail after its write.
 *
 * @module
 */

import { applyPick, parsePick } from '../query/pick.ts'
import type { Json } from '../vocabulary.ts'

/** Reduces a record, or a whole response that is not a list, to the requested fields. */
export type PickFields = (value: Json) => Json

/**
 * Undefined if all fields are requested.
 *
 * @param mostNames most names in the parameter
 * @throws QueryError if the parameter is malformed; ApiError 400 for too many names
 */
export function pickFields(fields: string | undefined, mostNames: number): PickFields | undefined {
  if (!fields) return undefined
  const pick = parsePick(fields, mostNames)
  return (value) => applyPick(value, pick)
}
