/**
 * Forms as record bodies: every value is a string on the wire, so booleans and numbers are inferred, and `@jsonPayload`
 * carries other types (contract-records 4.3).
 *
 * @module
 */

import { payloadKey } from '../../exchange/form-payload.ts'
import { badRequest, LimitExceeded } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Work } from '../limits/work.ts'
import type { Json } from '../vocabulary.ts'
import { decodeFormText, pairs } from './read-query.ts'
import { asBody, parseStrictJson } from './strict-json.ts'

const payloadName = `The value of "${payloadKey}"`

/** No number is longer than this, and a pattern must not run over megabytes of digits. */
const longestInferred = 30

/** Strings that a number would be written as again, so nothing is lost if the value was meant as a string. */
function inferValue(text: string): Json {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text.length <= longestInferred && /^-?\d+(\.\d+)?$/.test(text)) {
    const number = Number(text)
    if (String(number) === text) return number
  }
  return text
}

/**
 * Values of a form by name: a repeated name becomes an array, and JSON payloads are merged over the values in order.
 */
export function readFormFields(
  entries: Iterable<[name: string, value: string]>,
  limits: Limits,
): Record<string, Json> {
  const body: Record<string, Json> = Object.create(null)
  const repeated = new Set<string>()
  const payloads: Record<string, Json>[] = []
  let keys = 0
  for (const [name, value] of entries) {
    if (name === payloadKey) {
      const payload = asBody(parseStrictJson(value, limits, payloadName), payloadName)
      keys += Object.keys(payload).length
      // The payloads together are one body.
      if (keys > limits.jsonKeys)
        throw new LimitExceeded(`The payloads have more than ${limits.jsonKeys} keys: send fewer.`)
      payloads.push(payload)
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

/** @throws ApiError 400 if the percent-encoding is malformed, or a `;` may be meant as `&`. */
export async function readUrlencoded(
  text: string,
  limits: Limits,
  work: Work,
): Promise<Record<string, Json>> {
  if (text.includes(';'))
    throw badRequest(
      () => 'The form contains a ";", which may be meant as "&": write "&", or "%3B" in a value.',
    )
  const decoded: [string, string][] = []
  for (const [name, value] of pairs(text)) {
    if (decoded.length >= limits.pairs)
      throw new LimitExceeded(`The form has more than ${limits.pairs} pairs: send fewer.`)
    if (work.endLongPiece()) await work.rest()
    decoded.push([await decodePart(name, work), await decodePart(value, work)])
  }
  return readFormFields(decoded, limits)
}

/** @throws ApiError 400 */
async function decodePart(text: string, work: Work): Promise<string> {
  try {
    return text.length <= piece ? decodeFormText(text) : await decodeFormInTurns(text, work)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw badRequest(() => 'The percent-encoding of the form is malformed.')
  }
}

/** Characters that are decoded before other requests can run. */
const piece = 256 * 1024

/** @throws URIError if the percent-encoding is malformed */
async function decodeFormInTurns(text: string, work: Work): Promise<string> {
  const strings: string[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    if (work.endLongPiece()) await work.rest()
    end = Math.min(text.length, start + piece)
    // Does not cut inside an escape, nor between the escapes of one character, which has at most four.
    for (let back = 0; back < 12 && end < text.length && !startsCharacter(text, end); back += 1) end -= 1
    strings.push(decodeFormText(text.slice(start, end)))
  }
  return strings.join('')
}

function startsCharacter(text: string, at: number): boolean {
  const continues = /^%[89ab]/i.test(text.slice(at, at + 2))
  return !continues && text[at - 1] !== '%' && text[at - 2] !== '%'
}
