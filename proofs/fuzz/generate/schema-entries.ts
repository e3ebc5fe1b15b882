/**
 * Values from the schemas of the description.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../../spec/json-schema.ts'
import type { JsonEntry } from './json.ts'

/** Values that are known to be good, by the name of the property; the schema alone cannot know a password. */
export type KnownValues = Readonly<Record<string, Arbitrary<unknown>>>

/** The properties of an object, required ones nearly always. */
export function schemaEntries(schema: JsonSchema, known: KnownValues): Arbitrary<JsonEntry[]> {
  if (typeof schema.$ref === 'string') return schemaEntries(referred(schema, schema), known)
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
  }
  const entries = Object.entries(properties).map(([name, each]) => {
    const there = required.includes(name) ? 0.97 : 0.25
    const value = Object.hasOwn(known, name) ? (known[name] as Arbitrary<unknown>) : fromSchema(each, schema)
    return fc
      .tuple(fc.integer({ min: 0, max: 99 }), value)
      .map(([luck, made]): JsonEntry[] => (luck < 100 * there ? [[name, made]] : []))
  })
  return fc.tuple(...entries).map((all) => all.flat())
}

/** A value of a schema of the description, at its bounds now and then. */
function fromSchema(schema: JsonSchema, root: JsonSchema): Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return fromSchema(referred(schema, root), root)
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, root)))
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const bounds = Object.assign({}, schema, ...((schema.allOf as JsonSchema[] | undefined) ?? []))
  switch (schema.type) {
    case 'string': {
      const { minLength = 0, maxLength = 300 } = bounds
      return fc.oneof(
        { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, 30) }) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(minLength, maxLength, maxLength + 1).map((size) => 'x'.repeat(size)),
        },
      )
    }
    case 'integer': {
      const { minimum = -1000, maximum = 1_000_000 } = bounds
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, minimum - 1))
    }
    case 'array':
      return fc.array(fromSchema((schema.items ?? {}) as JsonSchema, root), { maxLength: 4 })
    case 'object':
      return schemaEntries({ ...schema, $defs: root.$defs }, {}).map((entries) => Object.fromEntries(entries))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.json().map((text) => JSON.parse(text))
  }
}

/** What a `$ref` refers to, together with the definitions that it may refer to in turn. */
function referred(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const defs = (root.$defs ?? {}) as Record<string, JsonSchema>
  return { ...defs[String(schema.$ref).slice('#/$defs/'.length)], $defs: defs }
}
