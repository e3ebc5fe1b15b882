import { isObject } from '../../../exchange/json-object.ts'
import { expectNoSuccess } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'

/** Fields by which two records with the same id differ: the suite sends no text twice. */
const telling = ['title', 'name', 'label', 'text', 'email', 'created']

/**
 * Whether a record is another one than the deleted one whose id it has. Nothing says that an id is given once: a short one
 * may be the next number that is free, and another client or check may get it at any moment.
 *
 * @param deleted as it was last read, or what is known of it
 */
export function hasReusedId(shown: unknown, deleted: Readonly<WireRecord>): boolean {
  if (!isReusable(deleted.id) || !isObject(shown)) return false
  return telling.some((field) => {
    const [now, before] = [shown[field], deleted[field]]
    return typeof now === 'string' && typeof before === 'string' && now !== before
  })
}

/** A view of a deleted record does not show it. It may show another one that was given its id since. */
export function expectGone(view: ApiResponse, deleted: Readonly<WireRecord>, what: string): void {
  if (view.ok && hasReusedId(view.body, deleted)) return
  expectNoSuccess(view, what)
}
