/**
 * Parses the JSON of a response up to a depth that recursive code can handle: a server must not crash a run with deep
 * nesting.
 *
 * @module
 */

import { isHolder } from '../../exchange/json-object.ts'
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
 * @throws ExpectationError if it nests deeper than `deepest` levels
 */
export function jsonOf(text: string): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const depth = depthOf(text)
  if (depth <= deepest) return value
  if (text.includes(nestedByUs)) return cutBelow(value)
  throw new ExpectationError(
    `a response has ${depth.toLocaleString('en')} levels of nested JSON, which is too deep to parse`,
    `at most ${deepest.toLocaleString('en')} levels`,
    text.slice(0, 100),
  )
}

/** Levels of lists and objects in well-formed JSON. */
function depthOf(text: string): number {
  if (text.length <= 2 * deepest) return 0
  let [depth, most] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) at = endOfString(text, at)
    else if (sign === openList || sign === openObject) most = Math.max(most, ++depth)
    else if (sign === closeList || sign === closeObject) depth--
  }
  return most
}

const [quote, backslash] = [0x22, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** @param from index of the opening quotation mark */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
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
