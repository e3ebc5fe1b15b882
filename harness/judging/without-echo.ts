/**
 * What a rejection says itself, without what it repeats of the request. Otherwise each key that was sent would look like one
 * that the rejection is about. Pure.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'

/**
 * Where frameworks repeat what was sent: pydantic and FastAPI (`input`), class-validator (`target`, `value`),
 * express-validator (`value`), Joi (`_original`), Spring (`rejectedValue`).
 */
const repeating = new Set(['input', 'target', 'value', '_original', 'rejectedValue'])

/** Nothing that a rejection says is nested deeper, and much deeper values would overflow the stack. */
const deepest = 50

/** @param body of an error response, parsed; a string if it is not JSON */
export function withoutEcho(body: unknown): unknown {
  return pruned(body, 0)
}

function pruned(value: unknown, depth: number): unknown {
  if (depth > deepest) return undefined
  if (Array.isArray(value)) return value.map((each) => pruned(each, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, held]) => !(repeating.has(key) && isRepeated(held)))
      .map(([key, held]) => [key, pruned(held, depth + 1)]),
  )
}

/** The text of a response without what it repeats. */
export function textWithoutEcho({ body, text }: { body?: unknown; text: string }): string {
  return isObject(body) || Array.isArray(body) ? JSON.stringify(withoutEcho(body)) : text
}

/** A whole body, parsed or as it was sent. A field may have such a name, too: what is wrong with it is a message or a list. */
function isRepeated(held: unknown): boolean {
  return typeof held === 'string' ? /^\s*\{/.test(held) : isObject(held)
}
