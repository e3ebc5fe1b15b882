/**
 * The keys that the description names for each response: those that the recorded traffic never shows are a finding about
 * the suite's reach.
 *
 * @module
 */

import { openApiDocument, operations } from '../../../spec/openapi.ts'
import { isJsonObject, type JsonValue } from '../combinators/combinators.ts'
import { outcomeOf } from './recording.ts'
import { isOpenPlace } from './schema-nodes.ts'

const deepest = 3

/** `listRecords 2xx totalItems`. */
export function describedPlaces(): string[] {
  return operations().flatMap(({ id, responses }) =>
    [...responses.values()].flatMap(({ status, content }) =>
      keysOf(content['application/json'], '').map((place) => `${id} ${outcomeOf(status)} ${place}`),
    ),
  )
}

function keysOf(schema: unknown, place: string, depth = 0): string[] {
  if (!isJsonObject(schema) || depth > deepest) return []
  const { $ref, allOf, oneOf, anyOf, properties, items } = schema
  const parts = [allOf, oneOf, anyOf].flatMap((each) => (Array.isArray(each) ? each : []))
  const below = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, each]) => {
    const path = place === '' ? key : `${place}.${key}`
    // What the tables define, and the keys of error details, are named by what traffic alone shows.
    return isOpenPlace(path) ? [path] : [path, ...keysOf(each, path, depth + 1)]
  })
  return [
    ...(typeof $ref === 'string' ? keysOf(referred($ref), place, depth) : []),
    ...parts.flatMap((each) => keysOf(each, place, depth)),
    ...below,
    ...keysOf(items, `${place}[]`, depth + 1),
  ]
}

function referred(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>(
      (value, key) => (isJsonObject(value) ? (value as JsonValue)[key] : undefined),
      openApiDocument(),
    )
}
