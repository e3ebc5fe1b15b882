/**
 * Where two JSON values differ first: two long records side by side tell nobody that a time at their end does.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../exchange/json-object.ts'

/** No record of the checks nests deeper, and a stack ends somewhere. */
const deepest = 50

export interface Difference {
  /** `items[2].created`; empty for the values as a whole. */
  path: string
  actual: unknown
  expected: unknown
}

/** As deep as the two are of one kind. Undefined where they are equal. */
export function firstDifference(
  actual: unknown,
  expected: unknown,
  path = '',
  depth = 0,
): Difference | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  const here = { path, actual, expected }
  if (depth === deepest) return here
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) return here
    return firstOf(
      actual.map((_, at) => firstDifference(actual[at], expected[at], `${path}[${at}]`, depth + 1)),
      here,
    )
  }
  if (!isObject(actual) || !isObject(expected)) return here
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return firstOf(
    [...keys].map((key) =>
      firstDifference(actual[key], expected[key], path === '' ? key : `${path}.${key}`, depth + 1),
    ),
    here,
  )
}

function firstOf(inside: readonly (Difference | undefined)[], here: Difference): Difference {
  return inside.find((each) => each !== undefined) ?? here
}
