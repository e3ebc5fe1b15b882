/**
 * Faults about the sub-requests of a batch, one line each.
 *
 * @module
 */

import type { FaultTools, Middleware } from '../fault.ts'
import { isJsonObject, type JsonValue, on, withoutTransaction } from './combinators.ts'
import { fieldRejection, first } from './field.ts'

/** The sub-requests in the text of a batch; none if there is no list. */
export const resultsOf = (text: string): JsonValue[] => {
  try {
    const { requests } = JSON.parse(text) as { requests?: unknown }
    return Array.isArray(requests) ? (requests as JsonValue[]) : []
  } catch {
    return []
  }
}

/** The same for a batch that is well-formed; none of any other. */
export function soundEntriesOf(text: string): JsonValue[] {
  const entries = resultsOf(text)
  const isSound = (entry: unknown) => isJsonObject(entry) && /^\/[\w/.?=&%-]*$/.test(String(entry.url))
  return entries.every(isSound) ? entries : []
}

/** Rejects batches with such an entry. */
export const rejectsEntry = (when: (entry: JsonValue) => boolean) =>
  first('batch', (_request, text) =>
    resultsOf(text).some((entry) => isJsonObject(entry) && when(entry)) ? fieldRejection(400) : undefined,
  )

/** Where the batch is one of these, its entries are done one after the other, and those before a failure stay. */
export function noTransaction(when: (entries: JsonValue[], request: Request) => boolean) {
  return (tools: FaultTools): Middleware => {
    const oneByOne = withoutTransaction()(tools)
    return on('batch', async (request, next) =>
      when(resultsOf(await request.clone().text()), request) ? oneByOne(request, next) : next(request),
    )(tools)
  }
}
