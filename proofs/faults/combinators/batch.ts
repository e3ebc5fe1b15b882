/**
 * Faults about the sub-requests of a batch, one line each.
 *
 * @module
 */

import { isObject, type Json } from './combinators.ts'
import { first, refusal } from './field.ts'

/** The sub-requests in the text of a batch; none where there is no list. */
export const entriesOf = (text: string): Json[] => {
  try {
    const { requests } = JSON.parse(text) as { requests?: unknown }
    return Array.isArray(requests) ? (requests as Json[]) : []
  } catch {
    return []
  }
}

/** The same of a batch that is well-formed; none of any other. */
export function soundEntriesOf(text: string): Json[] {
  const entries = entriesOf(text)
  const isSound = (entry: unknown) => isObject(entry) && /^\/[\w/.?=&%-]*$/.test(String(entry.url))
  return entries.every(isSound) ? entries : []
}

/** Refuses batches that have such an entry. */
export const refusesEntry = (when: (entry: Json) => boolean) =>
  first('batch', (_request, text) =>
    entriesOf(text).some((entry) => isObject(entry) && when(entry)) ? refusal(400) : undefined,
  )
