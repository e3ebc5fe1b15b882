/**
 * The items of a list on which a check builds.
 *
 * @module
 */

import { BlockedError } from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { ApiResponse, WireRecord } from '../../../harness/vocabulary/api.ts'

/** The items of a list on which a check only builds. @throws BlockedError if it has none */
export function itemsOf(response: ApiResponse): WireRecord[] {
  const { items } = (response.body ?? {}) as { items?: unknown }
  if (
    !response.ok ||
    !Array.isArray(items) ||
    items.some((item) => typeof item !== 'object' || item === null)
  )
    throw new BlockedError(`a list has no items: ${responseSummary(response)}`)
  return items
}
