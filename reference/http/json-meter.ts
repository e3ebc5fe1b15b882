/**
 * Measures a JSON text before it is parsed: parsing cannot be interrupted, and the cost of later steps grows with the
 * number of values. It checks sizes only; the parser decides whether the text is JSON.
 *
 * @module
 */

import { LimitExceeded } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'

export type JsonLimits = Pick<Limits, 'jsonKeys' | 'jsonValues' | 'jsonDepth' | 'numberDigits'>

const quote = 0x22
const backslash = 0x5c

/** Digits of the integer part from which a number may be too large for a double. */
const overflowing = 300

/** One text, read byte by byte, all at once or in pieces. */
export class JsonMeter {
  readonly #bytes: Uint8Array
  readonly #limits: JsonLimits
  #at = 0
  #inString = false
  #depth = 0
  #keys = 0
  #values = 1
  #digits = 0
  /** Whether a number may overflow to infinity, which JSON cannot represent. */
  mayOverflow = false
  /** Whether the text contains an escaped surrogate, which may be unpaired. */
  hasSurrogates = false

  constructor(bytes: Uint8Array, limits: JsonLimits) {
    this.#bytes = bytes
    this.#limits = limits
  }

  /**
   * Reads this many more bytes.
   *
   * @returns false at the end
   * @throws LimitExceeded
   */
  look(count: number): boolean {
    const bytes = this.#bytes
    const end = Math.min(bytes.length, this.#at + count)
    let at = this.#at
    let inString = this.#inString
    let digits = this.#digits
    for (; at < end; at += 1) {
      const byte = bytes[at] as number
      if (inString) {
        if (byte === quote) inString = false
        else if (byte === backslash) {
          at += 1
          if (bytes[at] === 0x75) this.#lookAtEscape(at + 1)
        }
        continue
      }
      if (byte >= 0x30 && byte <= 0x39) {
        digits += 1
        if (digits > this.#limits.numberDigits) throw tooMany(this.#limits.numberDigits, 'digits in a number')
        continue
      }
      if (digits > 0) {
        if (digits >= overflowing || byte === 0x65 || byte === 0x45) this.mayOverflow = true
        digits = 0
      }
      if (byte === quote) inString = true
      else if (byte === 0x2c) this.#countValue()
      else if (byte === 0x3a) this.#countKey()
      else if (byte === 0x5b || byte === 0x7b) this.#goDeeper()
      else if (byte === 0x5d || byte === 0x7d) this.#depth -= 1
    }
    this.#at = at
    this.#inString = inString
    this.#digits = digits
    if (digits >= overflowing) this.mayOverflow = true
    return at < bytes.length
  }

  #countValue(): void {
    this.#values += 1
    if (this.#values > this.#limits.jsonValues) throw tooMany(this.#limits.jsonValues, 'values')
  }

  #countKey(): void {
    this.#keys += 1
    if (this.#keys > this.#limits.jsonKeys) throw tooMany(this.#limits.jsonKeys, 'keys')
  }

  #goDeeper(): void {
    this.#depth += 1
    if (this.#depth > this.#limits.jsonDepth)
      throw tooMany(this.#limits.jsonDepth, 'levels of objects and arrays')
    this.#countValue()
  }

  /** U+D800 to U+DFFF. */
  #lookAtEscape(at: number): void {
    const first = this.#bytes[at] ?? 0
    const second = this.#bytes[at + 1] ?? 0
    // `d`, then `8` or more: the letters of the hexadecimal digits come after `9`.
    if ((first | 0x20) === 0x64 && second >= 0x38) this.hasSurrogates = true
  }
}

function tooMany(most: number, what: string): LimitExceeded {
  return new LimitExceeded(`The JSON holds more than ${most} ${what}: send fewer.`)
}
