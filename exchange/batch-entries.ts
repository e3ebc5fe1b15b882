/**
 * The sub-requests of a batch, read from its body: JSON, or a form with the JSON in `@jsonPayload`, which is what the
 * official client sends.
 *
 * @module
 */

import { TextDecoder } from 'node:util'
import { payloadKey } from './form-payload.ts'
import { isBytes } from './is-bytes.ts'
import { isForm } from './is-form.ts'
import { isObject, jsonObject } from './json-object.ts'
import { matchOperation } from './operation.ts'

/** Unvalidated: each property may have any type. */
export interface BatchEntry {
  method?: unknown
  url?: unknown
  body?: unknown
}

/**
 * The sub-requests, with null for an entry that is not an object. Undefined if the body has no list of sub-requests.
 *
 * @param body string, bytes, a form, or the value that is serialized as JSON
 */
export function batchEntries(body: unknown): (BatchEntry | null)[] | undefined {
  const { requests } = payloadOf(body) ?? {}
  if (!Array.isArray(requests)) return undefined
  return requests.map((entry: unknown) => (isObject(entry) ? entry : null))
}

/** PUT creates or updates a record. It counts as a create. */
export function meantMethod(method: string): string {
  return method === 'PUT' ? 'POST' : method
}

/** The operation of a sub-request. */
export function matchEntry(entry: BatchEntry | null | undefined, prefix: string) {
  const { method, url } = entry ?? {}
  if (typeof method !== 'string' || typeof url !== 'string') return undefined
  return matchOperation(meantMethod(method), url, prefix)
}

function payloadOf(body: unknown): Record<string, unknown> | undefined {
  if (isForm(body)) return jsonObject(body.get(payloadKey))
  const text = isBytes(body) ? new TextDecoder().decode(body) : body
  return jsonObject(text) ?? (typeof text === 'string' ? jsonObject(partIn(text)) : undefined)
}

const payloadName = new RegExp(`name="?${payloadKey}`)
const blankLine = /\n\r?\n/g

/** The part of a form that contains the JSON, with any part headers. */
function partIn(text: string): string | undefined {
  // If no blank line follows the first name, none follows the others.
  const name = text.search(payloadName)
  if (name < 0) return undefined
  blankLine.lastIndex = name
  if (!blankLine.test(text)) return undefined
  const from = blankLine.lastIndex
  const end = text.indexOf('\n--', from)
  return text.slice(from, end < 0 ? undefined : end)
}
