/**
 * Limits on the cost of one request. The sizes that the interface itself sets (3,500 bytes of filter, 50 entries of a
 * batch and so on) are defined where they are checked. These are the limits of this server, which prevent one client
 * from blocking all others. Each is far above what ordinary requests need.
 *
 * @module
 */

import { LimitExceeded } from '../errors.ts'
import { type SomeOf, withDefaults } from '../with-defaults.ts'

/** What one request may cost. `Infinity` switches a limit off. */
export interface Limits {
  /**
   * Steps of one HTTP request, the entries of a batch taken together. A step is one comparison, one record read, or 64
   * characters of a string compared. A lookup of related records takes four, plus three for each record found.
   * Beyond it: 400. @default 10_000_000
   */
  steps: number
  /**
   * Steps that cannot be interrupted: the filter on one record of a list, one write with its rule, or the relations that
   * one `expand` follows. Longer work lets other requests have their turn in between. Beyond it: 400.
   * @default 300_000
   */
  stepsAtOnce: number
  /** Records under `expand` in one response. Beyond it: 400. @default 50_000 */
  expandedRecords: number
  /** Characters of one response body. Beyond it: 400. @default 268_435_456 (256 Mi) */
  responseLength: number
  /** Keys in all objects of a JSON body, repeated keys included. Beyond it: 400. @default 50_000 */
  jsonKeys: number
  /** Values in a JSON body: elements, members, objects and arrays. Beyond it: 400. @default 600_000 */
  jsonValues: number
  /** Levels of objects and arrays in a JSON body. Beyond it: 400. @default 500 */
  jsonDepth: number
  /** Digits in a row in a number of a JSON body. Beyond it: 400. @default 1_000 */
  numberDigits: number
  /** Pairs of a urlencoded body or a query string. Beyond it: 400. @default 10_000 */
  pairs: number
  /** Parts of a multipart body, files included. Beyond it: 400. @default 1_000 */
  parts: number
  /** Names in `fields` or `expand`, those between dots counted one by one. Beyond it: 400. @default 10_000 */
  names: number
}

export const defaultLimits: Limits = {
  steps: 10_000_000,
  stepsAtOnce: 300_000,
  expandedRecords: 50_000,
  responseLength: 256 * 1024 * 1024,
  jsonKeys: 50_000,
  jsonValues: 600_000,
  jsonDepth: 500,
  numberDigits: 1000,
  pairs: 10_000,
  parts: 1000,
  names: 10_000,
}

/** For a query parameter with too many names. */
export function tooManyNames(parameter: 'expand' | 'fields', most: number): Error {
  return new LimitExceeded(`The parameter "${parameter}" has more than ${most} names: name fewer.`)
}

/** @throws TypeError that names the limit and its value, unless it is a whole number above 0, or Infinity */
export function checkLimits(given: SomeOf<Limits> = {}): Limits {
  const limits = withDefaults(defaultLimits, given)
  for (const [name, value] of Object.entries(limits)) {
    const fits = value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0)
    if (fits) continue
    const shown = typeof value === 'number' ? String(value) : JSON.stringify(value)
    throw new TypeError(
      `The option "limits.${name}" is ${shown}: expected a whole number above 0, or Infinity for no limit.`,
    )
  }
  return limits
}
