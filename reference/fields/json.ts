/**
 * The field type `json` (contract-records 3.5).
 *
 * @module
 */

import { parseJson } from '../http/strict-json.ts'
import type { Json, Value } from '../vocabulary.ts'
import { textColumn } from './columns.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { negative } from './option-error.ts'

const defaultMaxSize = 1024 * 1024

/** Represents an invalid JSON string until validation rejects it. */
const unreadable: Json = Object.freeze({})
/** In a string that is not JSON itself, the living family writes these characters in a way that JSON cannot read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unwritable = /[\0-\x07\x0b\x0e-\x1f\x7f]/

/** Any JSON value. A string that looks like JSON is parsed, and the result is stored (contract-records 3.5). */
export const jsonKind: FieldKind<'json'> = {
  defaults: { help: '', required: false, maxSize: 0 },
  column: { ...textColumn, affinity: 'none', exact: true, inside: true },
  inspect: ({ maxSize }) => negative({ maxSize }),
  bind({ definition }) {
    const maxSize = definition.maxSize || defaultMaxSize
    return {
      zero: null,
      accept: (input) => acceptJson(input, maxSize),
      modifiers: {},
      check(value) {
        if (isLonger(value, maxSize) || storedBytes(value) > maxSize) {
          return fieldError(
            'validation_json_size_limit',
            `The maximum allowed JSON size is ${maxSize} bytes.`,
            { maxSize },
          )
        }
        if (value === unreadable) return fieldError('validation_invalid_json', 'Must be a valid json value.')
        return definition.required && isBlank(value) ? required : undefined
      },
      render: (value) => value as Json,
    }
  },
  room: ({ maxSize }) => maxSize || defaultMaxSize,
  invent({ definition: { maxSize } }, { faker }) {
    const value = { [faker.lorem.word({ length: 4 })]: faker.lorem.word({ length: 5 }) }
    return maxSize === 0 || JSON.stringify(value).length <= maxSize ? value : 1
  },
  // `check-values.ts` rejects what JSON cannot hold.
  form: undefined,
  infers: () => false,
  control: () => ({ as: 'json' }),
}

/** A long string is too long in any case, so it need not be serialized. */
function isLonger(value: Value, maxSize: number): boolean {
  return typeof value === 'string' && value.length > maxSize
}

/** Lists and objects that came as a string: the living family stores that string unchanged. */
const spelled = new WeakSet<object>()

/** Bytes of the JSON text that the living family stores. In lists and objects, it escapes what HTML could read. */
function storedBytes(value: Value): number {
  const text = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || spelled.has(value)) return Buffer.byteLength(text)
  let escaped = 0
  for (const { 0: character } of text.matchAll(/[<>&\u2028\u2029]/g))
    escaped += character.length === Buffer.byteLength(character) ? 5 : 3
  return Buffer.byteLength(text) + escaped
}

function acceptJson(input: unknown, maxSize: number): Value {
  if (typeof input !== 'string') return withSortedKeys(input)
  // The size of the sent string counts, not the size of the value that it represents.
  if (Buffer.byteLength(input) > maxSize) return input
  const value = spelledValue(input)
  if (typeof value === 'object' && value !== null) spelled.add(value)
  return value === input && input.length <= maxSize && unwritable.test(input) ? unreadable : value
}

/**
 * Words and strings that start like a number, string, list or object are parsed as JSON. Otherwise the value is the
 * string itself, also if a body could not contain the parsed value: it could not be serialized again.
 */
function spelledValue(text: string): Json {
  if (!/^(?:[0-9"[{-]|true$|false$|null$)/.test(text)) return text
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** Keys are sorted when an object is stored, which shows if a filter compares the JSON text. */
function withSortedKeys(input: unknown): Json {
  if (Array.isArray(input)) return input.map(withSortedKeys)
  if (typeof input !== 'object' || input === null) return (input ?? null) as Json
  // Only values from code have the method: a date, for example.
  if ('toJSON' in input && typeof input.toJSON === 'function') return withSortedKeys(input.toJSON())
  // No prototype: a key named `__proto__` is a key like any other.
  const sorted: Record<string, Json> = Object.create(null)
  for (const key of Object.keys(input).sort())
    sorted[key] = withSortedKeys((input as Record<string, unknown>)[key])
  return sorted
}

function isBlank(value: Value): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
