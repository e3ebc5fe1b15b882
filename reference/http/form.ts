/**
 * Forms as record bodies: every value is text on the wire, so booleans and numbers are inferred, and `@jsonPayload`
 * carries what text cannot (contract-records 4.3).
 *
 * @module
 */

import { badRequest } from '../errors.ts'
import type { Json } from '../vocabulary.ts'
import { decodeFormText, pairs } from './query-string.ts'
import { asBody, parseStrictJson } from './strict-json.ts'

const payloadKey = '@jsonPayload'

/** Text that a number would be written as again, so that nothing is lost when it was meant as text. */
function inferValue(text: string): Json {
  if (text === 'true') return true
  if (text === 'false') return false
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    const number = Number(text)
    if (String(number) === text) return number
  }
  return text
}

/** Values of a form by name: a repeated name becomes an array, JSON payloads are merged over them in order. */
export function readFields(entries: Iterable<[name: string, value: string]>): Record<string, Json> {
  const body: Record<string, Json> = Object.create(null)
  const repeated = new Set<string>()
  const payloads: Record<string, Json>[] = []
  for (const [name, value] of entries) {
    if (name === payloadKey) {
      payloads.push(asBody(parseStrictJson(value)))
      continue
    }
    const inferred = inferValue(value)
    const known = body[name]
    if (known === undefined) body[name] = inferred
    else if (repeated.has(name) && Array.isArray(known)) known.push(inferred)
    else {
      body[name] = [known, inferred]
      repeated.add(name)
    }
  }
  for (const payload of payloads) Object.assign(body, payload)
  return body
}

/** @throws ApiError 400 when the percent-encoding is malformed, or a `;` stands where it may be meant as `&`. */
export function readUrlencoded(text: string): Record<string, Json> {
  if (text.includes(';')) throw badRequest()
  const decoded: [string, string][] = []
  try {
    for (const [name, value] of pairs(text)) decoded.push([decodeFormText(name), decodeFormText(value)])
  } catch {
    throw badRequest()
  }
  return readFields(decoded)
}
