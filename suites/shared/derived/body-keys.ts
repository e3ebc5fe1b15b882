/**
 * The keys of an operation's JSON body: as the description names them, or as the tables of the suites do if it leaves
 * them to the table. Pure.
 *
 * @module
 */

import { commonFields } from '../../../spec/common-fields.ts'
import { fieldTypes } from '../../../spec/field-types.ts'
import type { JsonSchema } from '../../../spec/json-schema.ts'
import { type OperationSpec, requestSchema } from '../../../spec/openapi.ts'
import type { FieldDefinition } from '../../../spec/table-definition.ts'
import { definedFieldsOf } from '../../../spec/tables.ts'
import { type Bound, type JsonType, type Shape, shapeOf, valueParts } from './values.ts'

export interface DescribedKey {
  /** From the top: `requests[].method`. */
  name: string
  /** Of the table that has the field. */
  role?: string
  required: boolean
  shape: Shape
}

/** Tables whose fields represent the fields of all tables: one of each type without a bound, and one of each bound. */
const fieldRoles = ['everything', 'constrained'] as const

export function bodyKeysOf(operation: OperationSpec): DescribedKey[] {
  const schema = requestSchema(operation)
  if (schema === undefined) return []
  const keys = keysIn(schema, resolver(schema), '')
  return keys.length > 0 ? keys : fieldRoles.flatMap(tableKeys)
}

/** Definitions of a self-contained schema. */
function resolver(schema: JsonSchema): (reference: string) => JsonSchema {
  const definitions = (schema.$defs ?? {}) as Readonly<Record<string, JsonSchema>>
  return (reference) => definitions[reference.slice('#/$defs/'.length)] ?? {}
}

function keysIn(
  schema: JsonSchema,
  resolve: (reference: string) => JsonSchema,
  before: string,
): DescribedKey[] {
  const parts = valueParts(schema, resolve)
  const required = new Set(parts.flatMap((part) => (part.required ?? []) as string[]))
  const properties = new Map(
    parts.flatMap((part) => Object.entries((part.properties ?? {}) as Record<string, JsonSchema>)),
  )
  return [...properties].flatMap(([key, inner]) => {
    const name = before + key
    const items = valueParts(inner, resolve).find((part) => part.items !== undefined)?.items
    return [
      { name, required: required.has(key), shape: shapeOf(inner, resolve) },
      ...(items === undefined ? [] : keysIn(items as JsonSchema, resolve, `${name}[].`)),
      ...keysIn(inner, resolve, `${name}.`),
    ]
  })
}

/** The id decides which record a write is about: none but the run's may be. */
const otherCommonFields = commonFields.filter((name) => name !== 'id')

/** Fields of the table in a role, and those that every record has. No field is required: each is a case of its own. */
function tableKeys(role: string): DescribedKey[] {
  const own = definedFieldsOf(role).map((field) => ({ name: field.name, shape: fieldShape(field) }))
  // The same in all tables: once is enough.
  const common = role === fieldRoles[0] ? otherCommonFields.map((name) => ({ name, shape: anyText })) : []
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...common.filter(({ name }) => !names.has(name))].map((key) => ({
    ...key,
    role,
    required: false,
  }))
}

const anyText: Shape = { types: ['string'] }

/** Of a type without bounds: its sample, or some text if no body can have one. */
function sampleShape(sample: unknown): Shape {
  if (sample === undefined) return anyText
  return { types: [Array.isArray(sample) ? 'array' : (typeof sample as JsonType)], example: sample }
}

/** Milliseconds of a day. */
const day = 86_400_000

/** A date that is one day away from another one, in the same form. */
function daysFrom(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().replace('T', ' ')
}

/** The bounds of a date field, and a day beyond them. */
function dateBounds(min?: string, max?: string): Bound[] {
  return [
    ...(min === undefined || min === '' ? [] : [{ detail: 'minimum', at: min, beyond: daysFrom(min, -1) }]),
    ...(max === undefined || max === '' ? [] : [{ detail: 'maximum', at: max, beyond: daysFrom(max, 1) }]),
  ]
}

/** As many options as can be chosen, and one more if there is one. */
function selectBounds(values: readonly string[], most: number): Bound[] {
  if (values.length <= most) return []
  return [{ detail: 'options', at: values.slice(0, most), beyond: values.slice(0, most + 1) }]
}

/** A JSON string of this many bytes, and one with one byte more. */
function jsonBounds(size: number | undefined): Bound[] {
  if (size === undefined || size < 3) return []
  return [{ detail: 'bytes', at: 'x'.repeat(size - 2), beyond: 'x'.repeat(size - 1) }]
}

/**
 * What a field takes, as far as it can be said about a value alone: which records a relation leads to is not known here, and
 * JSON cannot contain the bytes of a file.
 */
function fieldShape(field: FieldDefinition): Shape {
  switch (field.type) {
    case 'number':
      return {
        types: [field.onlyInt ? 'integer' : 'number'],
        ...(typeof field.min === 'number' && { minimum: field.min }),
        ...(typeof field.max === 'number' && { maximum: field.max }),
      }
    case 'bool':
      return { types: ['boolean'] }
    case 'json':
      return { types: [], example: { x: 'x' }, bounds: jsonBounds(field.maxSize) }
    case 'select':
      return (field.maxSelect ?? 1) > 1
        ? {
            types: ['array'],
            example: field.values.slice(0, 1),
            bounds: selectBounds(field.values, field.maxSelect ?? 1),
          }
        : { types: ['string'], values: field.values }
    case 'file':
    case 'relation':
      return { types: [(field.maxSelect ?? 1) > 1 ? 'array' : 'string'] }
    case 'text':
    case 'password':
      return {
        types: ['string'],
        ...(field.min !== undefined && { minLength: field.min }),
        ...(field.max !== undefined && { maxLength: field.max }),
      }
    case 'editor':
      return { types: ['string'], ...(field.maxSize !== undefined && { maxLength: field.maxSize }) }
    case 'email':
      return { types: ['string'], example: 'm@example.com' }
    case 'url':
      return { types: ['string'], example: 'https://example.com' }
    case 'date':
      return {
        types: ['string'],
        example: '2024-02-29 23:59:59.999Z',
        bounds: dateBounds(field.min, field.max),
      }
    default:
      return sampleShape(fieldTypes[field.type].sample)
  }
}
