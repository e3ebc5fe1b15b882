/**
 * The `fields` parameter on answers (contract-records 1.7). It is read before anything is done, so that a mistake in
 * it never leaves a write behind it without an answer.
 *
 * @module
 */

import { applyPick, parsePick } from '../query/pick.ts'
import type { Json } from '../vocabulary.ts'

/** What narrows a record, or a whole answer that is no list, to the wished fields. */
export type PickFields = (value: Json) => Json

/**
 * Undefined where everything is wished for.
 *
 * @param mostNames that the text may hold
 * @throws QueryError when the text is malformed; ApiError 400 for too many names
 */
export function pickFields(fields: string | undefined, mostNames: number): PickFields | undefined {
  if (!fields) return undefined
  const pick = parsePick(fields, mostNames)
  return (value) => applyPick(value, pick)
}
