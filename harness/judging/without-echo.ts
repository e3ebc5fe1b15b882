/**
 * What a rejection says itself, without what it repeats of the request. Otherwise each key that was sent would look like one
 * that the rejection is about. Pure.
 *
 * @module
 */

import { isObject, jsonObject } from '../../exchange/json-object.ts'

/** Where frameworks repeat a value whatever is next to it: Joi, Spring, ASP.NET, Bean Validation and yup. */
const always = new Set(['_original', 'rejectedValue', 'attemptedValue', 'invalidValue', 'originalValue'])
/** The same within a single error: pydantic and FastAPI (`input`), class-validator and express-validator. */
const inErrors = new Set(['input', 'target', 'value'])
/** What a single error has. Without any of these, such a key is the name of a field. */
const partsOfError = ['loc', 'msg', 'message', 'property', 'constraints', 'field']

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
  const isError = partsOfError.some((part) => part in value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, held]) => !always.has(key) && !(isError && inErrors.has(key) && isRepeated(held)))
      .map(([key, held]) => [key, pruned(held, depth + 1)]),
  )
}

/** The text of a response without what it repeats. */
export function textWithoutEcho({ body, text }: { body?: unknown; text: string }): string {
  return isObject(body) || Array.isArray(body) ? JSON.stringify(withoutEcho(body)) : text
}

/** A whole body, parsed or as it was sent. */
function isRepeated(held: unknown): boolean {
  return isObject(held) || (typeof held === 'string' && jsonObject(held) !== undefined)
}
