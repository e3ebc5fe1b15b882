/**
 * Strict JSON: UTF-8 without a byte order mark, one value, numbers that a double can hold, and no deeper than a value
 * can later be written again (profile: "strict JSON").
 *
 * @module
 */

import { badRequest } from '../errors.ts'
import type { Json } from '../vocabulary.ts'

/** Deeper values would let a request exhaust the stack of whatever walks them afterwards. */
const deepest = 500

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws ApiError 400 when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw badRequest()
  }
}

function tooDeep(text: string): boolean {
  if (text.length <= deepest) return false
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inText) {
      if (char === 0x5c) at++
      else if (char === 0x22) inText = false
    } else if (char === 0x22) inText = true
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > deepest) return true
    } else if (char === 0x5d || char === 0x7d) depth--
  }
  return false
}

/** Only texts like these can hold a number that overflows to infinity, which JSON could not write again. */
const suspiciousNumber = /\d[eE]\+?\d{2,}|(?<!\d)\d{300,}/

function holdsInfinity(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some(holdsInfinity)
}

/** Only an escape can bring half of a surrogate pair: UTF-8 has none. */
const surrogate = /\\u[dD][89a-fA-F]/

/** Half a pair, which no UTF-8 could carry back, becomes U+FFFD, as the family has it. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(wellFormed)
  const entries = Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)])
  return Object.fromEntries(entries)
}

/** The value of a strict JSON text, `undefined` when it is none. */
export function parseJson(text: string): Json | undefined {
  if (tooDeep(text)) return undefined
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (suspiciousNumber.test(text) && holdsInfinity(value)) return undefined
  return surrogate.test(text) ? wellFormed(value) : value
}

/** @throws ApiError 400 when the text is not strict JSON. */
export function parseStrictJson(text: string): Json {
  const value = parseJson(text)
  if (value === undefined) throw badRequest()
  return value
}

/** An object of JSON without a prototype, so that no key is special. @throws ApiError 400 when it is not an object. */
export function asBody(value: Json): Record<string, Json> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw badRequest()
  const body: Record<string, Json> = Object.create(null)
  for (const key of Object.keys(value)) body[key] = value[key] ?? null
  return body
}
