/**
 * Converts OpenAPI 3.1 to 3.0, for tools that do not read 3.1. Keywords that 3.0 lacks are replaced or left out. A
 * schema may accept more values than before, but never fewer.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { mapped } from './plain-schemas.ts'
import type { Description, DescriptionPart } from './vocabulary.ts'

/** Keywords of 3.1 without a counterpart. */
const unknown: readonly string[] = [
  '$schema',
  '$defs',
  '$comment',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]
/** Keywords whose values are schemas: one, a list, or one by name. */
const single = ['not', 'items', 'additionalProperties']
const lists = ['allOf', 'anyOf', 'oneOf']

export function downgrade(description: Description): Description {
  const { summary: _, ...info } = description.info
  return { ...(visited(description, false) as Description), openapi: '3.0.3', info }
}

/** Schemas are found by their place: under `schema`, and among the components. */
function visited(node: unknown, isSchemas: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => visited(each, false))
  if (!isObject(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      isSchemas || key === 'schema' ? oldSchema(value) : visited(value, key === 'schemas'),
    ]),
  )
}

function oldSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  if ('$ref' in schema) return withReference(schema)
  const old: DescriptionPart = {}
  for (const [key, value] of Object.entries(schema)) {
    if (unknown.includes(key)) continue
    if (key === 'properties') old.properties = mapped(value as DescriptionPart, oldSchema)
    else if (single.includes(key)) old[key] = oldSchema(value)
    else if (lists.includes(key)) old[key] = (value as unknown[]).map(oldSchema)
    else Object.assign(old, oldKeyword(key, value))
  }
  if (schema.contentMediaType === 'application/octet-stream') old.format = 'binary'
  // An array needs to say of what.
  if (old.type === 'array' && old.items === undefined) old.items = {}
  return withoutNull(old)
}

/** Nothing may appear next to a reference. */
function withReference({ $ref, ...others }: DescriptionPart): DescriptionPart {
  if (Object.keys(others).length === 0) return { $ref }
  const old = oldSchema(others) as DescriptionPart
  return { ...old, allOf: [{ $ref }, ...((old.allOf ?? []) as DescriptionPart[])] }
}

function oldKeyword(key: string, value: unknown): DescriptionPart {
  if (key === 'const') return { enum: [value] }
  if (key === 'examples') return { example: (value as unknown[])[0] }
  if (key === 'exclusiveMinimum') return { minimum: value, exclusiveMinimum: true }
  if (key === 'exclusiveMaximum') return { maximum: value, exclusiveMaximum: true }
  if (key === 'type' && Array.isArray(value)) return oldTypes(value)
  return { [key]: value }
}

function oldTypes(types: readonly unknown[]): DescriptionPart {
  const others = types.filter((type) => type !== 'null')
  const nullable = others.length < types.length ? { nullable: true } : {}
  return others.length === 1 ? { type: others[0], ...nullable } : { ...nullable }
}

/** `null` is not a type in 3.0, but a property of another one. */
function withoutNull(schema: DescriptionPart): DescriptionPart {
  const { type, anyOf, oneOf, ...others } = schema
  if (type === 'null') return { ...others, type: 'object', nullable: true, enum: [null] }
  for (const [key, list] of [
    ['anyOf', anyOf],
    ['oneOf', oneOf],
  ] as const) {
    if (!Array.isArray(list)) continue
    const left = (list as DescriptionPart[]).filter(({ enum: values }) => JSON.stringify(values) !== '[null]')
    if (left.length === list.length) continue
    const [only] = left
    return left.length === 1 && only !== undefined && !('$ref' in only)
      ? { ...only, ...others, nullable: true }
      : { ...others, nullable: true, [key]: left }
  }
  return schema
}
