/**
 * Turns a schema error into a readable mismatch: the place, what was expected, what was received, and the violated
 * requirement.
 *
 * @module
 */

import type { JsonSchema } from '../spec/json-schema.ts'
import { neverShown, requirementAt } from '../spec/requirement-at.ts'

/** One thing wrong with a response. */
export interface Mismatch {
  /** Id of the requirement nearest to it, or of one of the `wire.*` requirements. */
  requirement: string
  /** JSON pointer of the value; for a missing or forbidden key, of the key. */
  path: string
  /** What is wrong. */
  message: string
  expected: string
  received: string
  /** Other places of the response with the same mismatch, further items of a list for example. Absent: none. */
  others?: number
}

export interface SchemaError {
  instancePath: string
  schemaPath: string
  keyword: string
  params: Record<string, unknown>
}

/** The part of the description that forbids what no response may show. */
const secrets = /AuthRecordSecrets/
const branching = ['if', 'allOf', 'anyOf', 'oneOf']
const longest = 300

/** @param what a name for the response: `listRecords 200` */
export function mismatchOf(error: SchemaError, schema: JsonSchema, body: unknown, what: string): Mismatch {
  const path = placeOf(error)
  const value = valueAt(body, error.instancePath)
  // The schema of the object, not of the key, describes a missing key.
  const keyword = path === error.instancePath ? error.keyword : undefined
  const requirement =
    requirementAt(schema, path, keyword) ??
    (secrets.test(error.schemaPath) ? 'wire.no-secrets' : 'wire.schema')
  const secret = neverShown.includes(requirement)
  return {
    requirement,
    path,
    message: `${what}: ${path === '' ? 'the body' : path} ${faultOf(error)}`,
    expected: expectation(error),
    // Our message must not show a secret either.
    received:
      error.keyword === 'required' ? 'no such key' : secret ? 'a value' : shown(valueAt(body, path) ?? value),
  }
}

/** A JSON pointer that represents the same place of every item of a list. */
export function inAnyItem(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

/** Combines errors that differ only in their position in a list: the first one, with the number of the others. */
export function grouped(errors: readonly SchemaError[]): { error: SchemaError; others: number }[] {
  const groups = new Map<string, { error: SchemaError; others: number }>()
  for (const error of errors) {
    const key = `${inAnyItem(placeOf(error))} ${error.keyword} ${JSON.stringify(error.params)}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { error, others: 0 })
    else known.others += 1
  }
  return [...groups.values()]
}

/**
 * `if`, `anyOf` and similar keywords report each branch and then themselves: the branches are more specific. Removes
 * duplicates.
 */
export function telling(errors: readonly SchemaError[]): SchemaError[] {
  const leaves = errors.filter(({ keyword }) => !branching.includes(keyword))
  const seen = new Set<string>()
  return (leaves.length > 0 ? leaves : [...errors]).filter((error) => {
    const key = `${placeOf(error)} ${error.keyword} ${JSON.stringify(error.params)}`
    return !seen.has(key) && seen.add(key)
  })
}

/** A value as a finding shows it: truncated JSON. Long strings and lists are truncated before they are serialized. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, longest)))
  if (Array.isArray(value) && value.length > 8) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    if (keys.length > 40 || depthOver(value, 8)) return `an object with ${keys.length} keys`
  }
  return cut(JSON.stringify(value) ?? String(value))
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** Whether serializing could take long: the value is deep, or wide somewhere inside. */
function depthOver(value: unknown, left: number): boolean {
  if (typeof value === 'string') return value.length > 10_000
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  const inner = Object.values(value)
  return inner.length > 40 || inner.some((each) => depthOver(each, left - 1))
}

function placeOf({ instancePath, params }: SchemaError): string {
  const key = params.missingProperty ?? params.additionalProperty
  return typeof key === 'string'
    ? `${instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body
  for (const segment of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[segment.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

/** What is wrong, without the words of JSON Schema. */
function faultOf({ keyword }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
    case 'not':
    case 'false schema':
      return 'must not be there'
    case 'type':
      return 'has the wrong type'
    case 'const':
    case 'enum':
      return 'has a value that is not described'
    case 'format':
    case 'pattern':
      return 'has the wrong form'
    default:
      return 'is not as described'
  }
}

function expectation({ keyword, params }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return `a key ${shown(params.missingProperty)}`
    case 'additionalProperties':
    case 'not':
    case 'false schema':
      return 'no such key'
    case 'type':
      return [params.type].flat().join(' or ')
    case 'const':
      return shown(params.allowedValue)
    case 'enum':
      return `one of ${shown(params.allowedValues)}`
    case 'format':
      return params.format === 'record-time'
        ? 'an instant as YYYY-MM-DD HH:MM:SS.mmmZ'
        : `format ${String(params.format)}`
    case 'pattern':
      return `a string that matches ${String(params.pattern)}`
    case 'minLength':
      return `at least ${String(params.limit)} characters`
    case 'minProperties':
      return `at least ${String(params.limit)} keys`
    case 'minimum':
    case 'maximum':
      return `a number ${String(params.comparison)} ${String(params.limit)}`
    default:
      return `${keyword} ${JSON.stringify(params)}`
  }
}
