/**
 * Strict JSON: UTF-8 without a byte order mark, one value, numbers that a double can hold, and limited in depth, so
 * that the value can be serialized again (`records.bodies` in docs/profile.md).
 *
 * @module
 */

import { TextDecoder } from 'node:util'
import { jsonMistake } from '../../exchange/json-mistake.ts'
import { isObject } from '../../exchange/json-object.ts'
import { badRequest, LimitExceeded } from '../errors.ts'
import { defaultLimits } from '../limits/limits.ts'
import type { Work } from '../limits/work.ts'
import type { Json } from '../vocabulary.ts'
import { type JsonLimits, JsonMeter } from './json-meter.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes that are read, or decoded, before other requests can run. */
const piece = 1024 * 1024

/** @throws ApiError 400 when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw badRequest(() => 'The body is not UTF-8.')
  }
}

/** The same, interrupted for other requests. @throws ApiError 400 if the bytes are not UTF-8 */
export async function decodeInTurns(bytes: Uint8Array, work: Work): Promise<string> {
  if (bytes.length <= piece) return decodeUtf8(bytes)
  const strings: string[] = []
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    if (work.endLongPiece()) await work.rest()
    end = Math.min(bytes.length, start + piece)
    // Not in the middle of a character, which has at most four bytes.
    for (let back = 0; back < 3 && end < bytes.length && isContinued(bytes[end]); back += 1) end -= 1
    strings.push(decodeUtf8(bytes.subarray(start, end)))
  }
  return strings.join('')
}

/** Inside a character. */
function isContinued(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function holdsInfinity(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some(holdsInfinity)
}

/** An unpaired surrogate, which UTF-8 cannot represent, becomes U+FFFD, as in the living family. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(wellFormed)
  const entries = Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)])
  return Object.fromEntries(entries)
}

function parseMetered(text: string, { mayOverflow, hasSurrogates }: JsonMeter): Json | undefined {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (mayOverflow && holdsInfinity(value)) return undefined
  return hasSurrogates ? wellFormed(value) : value
}

/**
 * The value of a strict JSON text, `undefined` if it is not strict JSON.
 *
 * @param limits a text that exceeds them is also undefined
 */
export function parseJson(text: string, limits: JsonLimits = defaultLimits): Json | undefined {
  const meter = new JsonMeter(Buffer.from(text), limits)
  try {
    meter.look(Number.POSITIVE_INFINITY)
  } catch (error) {
    if (error instanceof LimitExceeded) return undefined
    throw error
  }
  return parseMetered(text, meter)
}

/**
 * @param what as the log names it
 * @throws ApiError 400 if the text is not strict JSON, or exceeds the limits
 */
export function parseStrictJson(text: string, limits: JsonLimits, what = 'The body'): Json {
  const meter = new JsonMeter(Buffer.from(text), limits)
  meter.look(Number.POSITIVE_INFINITY)
  const value = parseMetered(text, meter)
  if (value === undefined) throw badRequest(() => jsonMistake(what, text))
  return value
}

/** The value of a whole body. @throws ApiError 400 if it is not strict JSON, or exceeds the limits */
export async function parseBytes(bytes: Uint8Array, limits: JsonLimits, work: Work): Promise<Json> {
  const meter = new JsonMeter(bytes, limits)
  while (meter.look(piece)) if (work.endLongPiece()) await work.rest()
  const text = await decodeInTurns(bytes, work)
  if (work.endLongPiece()) await work.rest()
  const value = parseMetered(text, meter)
  if (value === undefined) throw badRequest(() => jsonMistake('The body', text))
  return value
}

/** Keys from which an object is changed in place. A copy of a small object is faster to read. */
const large = 1_000

/**
 * An object of JSON without a prototype, so no key is special.
 *
 * @param what as the log names it
 * @throws ApiError 400 if it is not an object
 */
export function asBody(value: Json, what = 'The body'): Record<string, Json> {
  if (!isObject(value)) {
    const kind = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
    throw badRequest(() => `${what} must be a JSON object; found ${kind}.`)
  }
  const keys = Object.keys(value)
  // Copying a large object would cost as much as parsing it.
  if (keys.length > large) return Object.setPrototypeOf(value, null)
  const body: Record<string, Json> = Object.create(null)
  for (const key of keys) body[key] = value[key] ?? null
  return body
}
