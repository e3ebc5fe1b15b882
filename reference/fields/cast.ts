/**
 * Casts that never fail: a value from a client is converted to the type of the field, and a value that cannot be
 * converted becomes the zero value (contract-records 3, "General coercion").
 *
 * @module
 */

import { parseJson } from '../http/strict-json.ts'

/** Strings unchanged, numbers in minimal decimal form, booleans by name, everything else empty. */
export function toText(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input === 'number') return decimalText(input)
  if (typeof input === 'boolean') return input ? 'true' : 'false'
  return ''
}

/** Longest number in characters: a pattern must not run over megabytes of digits. */
const longestNumber = 1000

const decimal = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
/** Digits may be grouped by `_`, as in `1_000`. */
const between = /(?<=\d)_(?=\d)/g
const infinite = /^([+-]?)inf(inity)?$/i

/** Numbers, decimal strings and booleans. `NaN` and infinities are kept: validation rejects them. */
export function toNumber(input: unknown): number {
  if (typeof input === 'number') return input
  if (typeof input === 'boolean') return input ? 1 : 0
  if (typeof input !== 'string' || input.length > longestNumber) return 0
  const digits = input.replace(between, '')
  if (decimal.test(digits)) {
    const value = Number(digits)
    return Number.isFinite(value) ? value : 0
  }
  if (/^nan$/i.test(input)) return Number.NaN
  const infinity = infinite.exec(input)
  if (infinity) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return 0
}

const trueStrings = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

export function toBool(input: unknown): boolean {
  if (typeof input === 'boolean') return input
  if (typeof input === 'number') return input !== 0
  return typeof input === 'string' && trueStrings.has(input)
}

/**
 * A list of distinct, non-empty strings in the order they came. A string that is a JSON array of strings is read as
 * that list. One element that is not a scalar empties the whole list.
 */
export function toTextList(input: unknown): string[] {
  const parts = typeof input === 'string' ? partsOfText(input) : Array.isArray(input) ? input : [input]
  const list = new Set<string>()
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) return []
    const text = toText(part)
    if (text !== '') list.add(text)
  }
  return [...list]
}

function partsOfText(text: string): unknown[] {
  if (!text.includes('[')) return [text]
  const parsed = parseJson(text)
  const isList = Array.isArray(parsed) && parsed.every((part) => typeof part === 'string' || part === null)
  return isList ? parsed : [text]
}

/** A number in decimal digits only, with as few of them as identify it: 1e21 has 22 digits. */
export function decimalText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/**
 * Number of code points.
 *
 * @param most longer strings need not be counted in full: some larger number is returned
 */
export function runeCount(text: string, most = Number.POSITIVE_INFINITY): number {
  // A code point has at most two units.
  if (text.length > 2 * most) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}
