/**
 * Parses the JSON of a response up to a depth that recursive code can handle, and up to a number of values that fits into
 * memory: a server must not crash a run.
 *
 * @module
 */

import { isHolder } from '../../exchange/json-object.ts'
import { mostValues, sizeOfJson } from '../../exchange/size-of-json.ts'
import { ExpectationError } from '../judging/expect.ts'

/** Maximum nesting of lists and objects in a response: a record with all its expansions has a few dozen. */
export const deepest = 1_000

/**
 * Marker inside everything that the suite itself nests deeper than this. A server may store and return it: then the
 * part below the limit is omitted.
 */
export const nestedByUs = 'nested by the conformance suite'

/**
 * @returns undefined if the text is not JSON
 * @throws ExpectationError if it nests deeper than `deepest` levels, or seems to have more than `mostValues` values
 */
export function jsonOf(text: string): unknown {
  if (text === '') return undefined
  // Most responses are too short for either.
  const { depth, values } = text.length > 2 * deepest ? sizeOfJson(text, mostValues) : { depth: 0, values: 0 }
  if (values > mostValues)
    throw new ExpectationError(
      `a response has more than ${mostValues.toLocaleString('en')} JSON values, which are too many to read`,
      `at most ${mostValues.toLocaleString('en')} values`,
      `a text of ${text.length.toLocaleString('en')} characters`,
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (depth <= deepest) return value
  if (text.includes(nestedByUs)) return cutBelow(value)
  throw new ExpectationError(
    `a response has ${depth.toLocaleString('en')} levels of nested JSON, which is too deep to parse`,
    `at most ${deepest.toLocaleString('en')} levels`,
    `a text of ${text.length.toLocaleString('en')} characters`,
  )
}

/** Removes from a value, in place, everything below the limit. */
function cutBelow(value: unknown): unknown {
  const waiting: [holder: object, level: number][] = isHolder(value) ? [[value, 1]] : []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [holder, level] = next as [Record<string, unknown>, number]
    for (const key of Object.keys(holder)) {
      const inner = holder[key]
      if (!isHolder(inner)) continue
      if (level < deepest) waiting.push([inner, level + 1])
      else holder[key] = null
    }
  }
  return value
}
