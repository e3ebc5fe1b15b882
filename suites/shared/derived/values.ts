/**
 * Wrong values, and those at a bound, for one value of the description: as JSON in a body, and as text in a query. Pure.
 *
 * @module
 */

import type { JsonSchema } from '../../../spec/json-schema.ts'
import type { Mutation, Raw, Suffixed, ValueChange } from './case.ts'

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

/** What the description says of a value, without its references and compositions. */
export interface Shape {
  /** Empty: anything. */
  types: readonly JsonType[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  /** Bounds that no number says: values at each, and beyond it. */
  bounds?: readonly Bound[]
  /** All strings that are allowed. */
  values?: readonly string[]
  /** A value that fits, if none could be made of the above. */
  example?: unknown
}

export interface Bound {
  detail: string
  at: unknown
  beyond: unknown
}

/** One wrong value. */
export interface WrongValue {
  mutation: Mutation
  /** Distinguishes it from others of the same mutation. */
  detail?: string
  change: ValueChange
  keeps: boolean
}

/** Characters of a string without a bound, beyond what a field usually holds. */
const longText = 6_000
/** The same in a request line. Many servers read only eight kilobytes of it. */
const longParameter = 3_000
/** No email can be sent to a longer one (RFC 5321, section 4.5.3.1.3). */
const longestAddress = 254
/** Where an integer has no bound: the largest that all JSON readers agree on, and one that few can hold. */
const largestInteger = Number.MAX_SAFE_INTEGER
const hugeNumber = 1e308

/** A value of the shape, for what a valid request leaves out. */
export function fitting({ types, values, minimum = 1, minLength = 1, example }: Shape): unknown {
  if (example !== undefined) return example
  if (values !== undefined) return values[0]
  const [type = 'string'] = types
  if (type === 'integer' || type === 'number') return Math.max(1, minimum)
  if (type === 'boolean') return true
  if (type === 'array') return ['x']
  if (type === 'object') return { x: 'x' }
  return 'x'.repeat(minLength)
}

/**
 * A string of this length that ends with the right one. A path stays a path and gets a query. An address stays at the
 * same domain and gets labels.
 */
export function padded(right: unknown, length: number): string {
  const text = typeof right === 'string' ? right : ''
  const missing = length - text.length
  if (missing <= 0) return text.slice(text.length - length)
  if (text.startsWith('/')) return `${text}?${'x'.repeat(missing - 1)}`
  const at = text.indexOf('@') + 1
  return isAddress(text) ? text.slice(0, at) + labels(missing) + text.slice(at) : 'x'.repeat(missing) + text
}

const isAddress = (right: unknown) => typeof right === 'string' && /^[^@]+@[^@]+$/.test(right)

/** Labels of this many characters in total, each followed by a dot. A label has at most 63 (RFC 1035, section 2.3.4). */
function labels(length: number): string {
  const text = `${'x'.repeat(59)}.`.repeat(Math.ceil(length / 60))
  const cut = text.slice(text.length - length)
  return cut.startsWith('.') ? `x${cut.slice(1)}` : cut
}

/** Each of these values instead of the right one. */
export const to =
  (...values: readonly unknown[]): ValueChange =>
  () =>
    values
export const wrong = (
  mutation: Mutation,
  change: ValueChange,
  detail?: string,
  keeps = false,
): WrongValue => ({
  mutation,
  change,
  keeps,
  detail,
})

/** Values of JSON by their types. An object that a database might read as a condition. */
const ofType: readonly (readonly [string, readonly JsonType[], unknown])[] = [
  ['a string', ['string'], 'x'],
  ['a number', ['number', 'integer'], 42],
  ['a boolean', ['boolean'], true],
  ['a list', ['array'], []],
  ['an object', ['object'], { $ne: null }],
]

/**
 * For a key of a JSON body.
 *
 * @param required whether the description requires the key: leaving out another one is what a valid request does
 */
export function wrongValues(shape: Shape, required: boolean): WrongValue[] {
  const { types, minimum, maximum, bounds = [] } = shape
  const open = types.length === 0
  const isText = open || types.includes('string')
  const isNumber = types.includes('number') || types.includes('integer')
  return [
    ...(required ? [wrong('omitted', to())] : []),
    wrong('null', to(null)),
    ...ofType
      .filter(([, these]) => !open && !these.some((type) => types.includes(type)))
      .map(([detail, , value]) => wrong('of a wrong type', to(value), detail)),
    ...(isNumber && !types.includes('number') ? [wrong('of a wrong type', to(1.5), 'a fraction')] : []),
    ...(types.length > 0 && !types.includes('array')
      ? [wrong('of a wrong type', (right) => [[right]], 'a list of it', true)]
      : []),
    ...(isText ? textValues(shape) : []),
    ...(types.includes('array') ? [wrong('empty', to([])), longList, ...numbersOfItems(shape)] : []),
    ...(types.includes('object') ? [wrong('empty', to({})), manyKeys] : []),
    ...(isNumber ? [...bound('minimum', minimum, -1), ...bound('maximum', maximum, 1)] : []),
    ...(isNumber && maximum === undefined
      ? [
          wrong('at a bound', to(largestInteger), 'the largest safe integer'),
          wrong('beyond a bound', to(hugeNumber), 'a huge number'),
        ]
      : []),
    ...bounds.flatMap(({ detail, at, beyond }) => [
      wrong('at a bound', to(at), detail),
      wrong('beyond a bound', to(beyond), detail),
    ]),
    ...duplicates(types),
  ]
}

/** Both occurrences of a list or an object are the same: the clean-up reads only one. */
function duplicates(types: Shape['types']): WrongValue[] {
  if (types.some((type) => type === 'array' || type === 'object'))
    return [wrong('duplicated', (right) => [right, right], 'the right one twice', true)]
  return [
    wrong('duplicated', (right) => [right, other(right)], 'the right one first', true),
    wrong('duplicated', (right) => [other(right), right], 'the right one last', true),
  ]
}

/** Lists of the right items: fewer of them, or the last one several times. */
function numbersOfItems({ minItems = 0, maxItems }: Shape): WrongValue[] {
  const ofLength = (length: number): ValueChange => {
    return (right) => {
      const items = Array.isArray(right) ? right : [right]
      return [Array.from({ length }, (_, at) => items[Math.min(at, items.length - 1)])]
    }
  }
  const many = (length: number, mutation: Mutation, detail: string) =>
    wrong(mutation, ofLength(length), detail, true)
  return [
    ...(minItems > 0 ? [many(minItems, 'at a bound', 'as few items as it may have')] : []),
    // No items at all are a case of their own.
    ...(minItems > 1 ? [many(minItems - 1, 'beyond a bound', 'an item less')] : []),
    ...(maxItems === undefined
      ? []
      : [
          many(maxItems, 'at a bound', 'as many items as it may have'),
          many(maxItems + 1, 'beyond a bound', 'an item more'),
        ]),
  ]
}

const longList = wrong('too long', to(Array.from({ length: 1_000 }, () => 'x')), '1000 items')
const manyKeys = wrong(
  'too long',
  to(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 'x']))),
  '1000 keys',
)

/** What contains the right string keeps it: a server may drop what it cannot keep, or read no more than the digits of a code. */
function textValues({ minLength = 0, maxLength }: Shape): WrongValue[] {
  const kept = (mutation: Mutation, change: (right: unknown) => string, detail: string) =>
    wrong(mutation, (right) => [change(right)], detail, true)
  const shortest = Math.max(1, minLength)
  return [
    wrong('empty', to('')),
    wrong('unknown', to('no-such-value')),
    kept('malformed', (right) => `${text(right)}\u0000`, 'a NUL after it'),
    kept('malformed', (right) => `${text(right)}\ud800`, 'half a surrogate pair after it'),
    ...(shortest > 1
      ? [
          wrong('at a bound', to('x'.repeat(shortest)), 'as short as it may be'),
          wrong('beyond a bound', to('x'.repeat(shortest - 1)), 'a character shorter'),
        ]
      : []),
    ...(maxLength === undefined
      ? [kept('too long', (right) => padded(right, longText), `${longText} characters`)]
      : [
          kept(
            'at a bound',
            (right) => padded(right, isAddress(right) ? Math.min(maxLength, longestAddress) : maxLength),
            'as long as it may be',
          ),
          kept('beyond a bound', (right) => padded(right, maxLength + 1), 'a character longer'),
        ]),
  ]
}

/** @param away the direction in which the bound is left */
function bound(detail: string, at: number | undefined, away: 1 | -1): WrongValue[] {
  if (at === undefined) return []
  return [wrong('at a bound', to(at), detail), wrong('beyond a bound', to(at + away), detail)]
}

const text = (right: unknown) => (typeof right === 'string' ? right : 'x')

/** A value of the same type that is not the right one. */
function other(right: unknown): unknown {
  if (typeof right === 'number') return right + 1
  return typeof right === 'boolean' ? !right : 'x'
}

/** For a parameter of the query, whose values are strings. */
export function wrongParameters({ types, minimum, maximum = largestInteger, values }: Shape): WrongValue[] {
  const isInteger = types.includes('integer')
  const suffixed =
    (suffix: string): ValueChange =>
    (right) => [{ suffix, text: String(right) } satisfies Suffixed]
  return [
    wrong('null', to('null'), 'the word'),
    wrong('empty', to('')),
    // A broken percent-encoding is not a URI, and may be rejected before the service sees it.
    wrong('malformed', to({ raw: '%FF' } satisfies Raw), 'a byte that is not UTF-8'),
    wrong('malformed', to('\u0000'), 'a NUL'),
    wrong('too long', to('x'.repeat(longParameter)), `${longParameter} characters`),
    wrong('of a wrong type', suffixed('[]'), 'a list', true),
    wrong('of a wrong type', suffixed('[x]'), 'an object', true),
    ...(isInteger
      ? [
          ...['x', 'true', '1.5'].map((word) => wrong('of a wrong type', to(word), word)),
          ...[minimum ?? 0, maximum].map((at) => wrong('at a bound', to(String(at)), String(at))),
          wrong('beyond a bound', to(String((minimum ?? 0) - 1)), 'below'),
          ...(maximum < largestInteger ? [wrong('beyond a bound', to(String(maximum + 1)), 'above')] : []),
          wrong('beyond a bound', to('9'.repeat(40)), 'of 40 digits'),
        ]
      : []),
    ...(values === undefined ? [] : [wrong('unknown', to('no-such-value'))]),
    wrong('duplicated', (right) => [right, 'x'], 'the right one first', true),
    wrong('duplicated', (right) => ['x', right], 'the right one last', true),
  ]
}

/** The shape that a schema gives to a value: its own keywords, and the keywords of the schemas that it is composed of. */
export function shapeOf(schema: JsonSchema, resolve: (reference: string) => JsonSchema): Shape {
  const parts = valueParts(schema, resolve)
  const types = [...new Set(parts.flatMap(({ type }) => [type].flat() as (JsonType | 'null' | undefined)[]))]
  const values = parts.flatMap((part) => (part.enum ?? []) as unknown[])
  const shape: Shape = { types: types.filter((type) => type !== undefined && type !== 'null') as JsonType[] }
  for (const key of ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const) {
    const found = parts.map((part) => part[key]).find((value) => typeof value === 'number')
    if (found !== undefined) shape[key] = found as number
  }
  return values.length > 0 ? { ...shape, values: values.map(String) } : shape
}

/** A schema and all that it is composed of for the same value. */
export function valueParts(
  schema: JsonSchema,
  resolve: (reference: string) => JsonSchema,
  seen: ReadonlySet<JsonSchema> = new Set(),
): JsonSchema[] {
  if (seen.has(schema)) return []
  const known = new Set(seen).add(schema)
  const more = [
    ...(typeof schema.$ref === 'string' ? [resolve(schema.$ref)] : []),
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (list ?? []) as JsonSchema[]),
  ]
  return [schema, ...more.flatMap((each) => valueParts(each, resolve, known))]
}
