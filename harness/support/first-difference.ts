/**
 * Finds the first difference of two JSON values: in two long records next to each other, readers overlook a different
 * time at the end.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../exchange/json-object.ts'

/** Maximum depth. No record of the checks nests deeper, and the stack is limited. */
const deepest = 50

export interface Difference {
  /** `items[2].created`; empty for the values as a whole. */
  path: string
  actual: unknown
  expected: unknown
}

/** Descends as long as both are of the same kind. Undefined if they are equal. */
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
