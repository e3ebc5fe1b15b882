/**
 * The sub-requests of a batch, read off the body in which it was sent: JSON, or a form with its JSON in `@jsonPayload`, as
 * the official client sends it.
 *
 * @module
 */

import { isObject, jsonObject } from './json-object.ts'
import { matchOperation } from './operation.ts'

/** Nothing in it can be relied on. */
export interface BatchEntry {
  method?: unknown
  url?: unknown
  body?: unknown
}

/**
 * Undefined where the body holds no list of sub-requests; null for one that is no object.
 *
 * @param body text, bytes, a form, or the value that becomes JSON
 */
export function batchEntries(body: unknown): (BatchEntry | null)[] | undefined {
  const { requests } = payloadOf(body) ?? {}
  if (!Array.isArray(requests)) return undefined
  return requests.map((entry: unknown) => (isObject(entry) ? entry : null))
}

/** A PUT creates or changes, and is taken for the create that it may be. */
export function meantMethod(method: string): string {
  return method === 'PUT' ? 'POST' : method
}

/** The operation that a sub-request stands for. */
export function matchEntry(entry: BatchEntry | null | undefined, prefix: string) {
  const { method, url } = entry ?? {}
  if (typeof method !== 'string' || typeof url !== 'string') return undefined
  return matchOperation(meantMethod(method), url, prefix)
}

function payloadOf(body: unknown): Record<string, unknown> | undefined {
  if (typeof FormData !== 'undefined' && body instanceof FormData) return jsonObject(body.get('@jsonPayload'))
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body
  return jsonObject(text) ?? (typeof text === 'string' ? jsonObject(partIn(text)) : undefined)
}

/** The part of a form that holds the JSON, whatever other headers it has. */
function partIn(text: string): string | undefined {
  const start = /name="?@jsonPayload"?[^\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n/.exec(text)
  if (start === null) return undefined
  const from = start.index + start[0].length
  const end = text.indexOf('\n--', from)
  return text.slice(from, end < 0 ? undefined : end)
}
