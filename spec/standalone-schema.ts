/**
 * Extracts standalone schemas from the OpenAPI description.
 *
 * The description is written for readers and for generators of code, so its alternatives are plain `anyOf`. A validator
 * needs more: errors of the one alternative that a value is meant to be, and of the requirement that this breaks. The
 * standalone form has both, and accepts exactly the same values.
 *
 * @module
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import { formats } from './formats.ts'
import type { JsonSchema } from './json-schema.ts'

type Keywords = Record<string, unknown>
type Components = Readonly<Record<string, JsonSchema>>

const POINTER = '#/components/schemas/'
/** Keywords about what `fields` may remove or shorten: required keys, and formats and lengths of strings. */
const TEXT_FORMS = ['format', 'pattern', 'minLength']
const BOUNDS = ['minimum', 'maximum', 'maxLength', 'minItems', 'maxItems']
/** Annotations for readers. */
const ANNOTATIONS = [
  'description',
  'examples',
  'title',
  'default',
  'deprecated',
  'x-field-type',
  'x-spellings',
]
/** Keywords that do not constrain a value. A schema with only these accepts everything. */
const SILENT = ['x-basis', 'x-pick', ...ANNOTATIONS]
const OF_PROFILE = 'wire.schema'

/** What a standalone schema is for. */
export interface Standalone {
  /** For responses to a request with `fields`: objects marked `x-pick` require no key, and strings below them have no form. */
  picked?: boolean
  /** For requests of the suite, which tests the bounds of servers: the schema has none. */
  unbounded?: boolean
}

const kept = new WeakMap<JsonSchema, Map<string, JsonSchema>>()

/**
 * A schema of the description with everything it refers to under `$defs`. Cached by the schema, so that equal calls
 * return the same object.
 */
export function standaloneSchema(
  schema: JsonSchema,
  document: OpenAPIV3_1.Document,
  { picked = false, unbounded = false }: Standalone = {},
): JsonSchema {
  const forms = kept.get(schema) ?? new Map<string, JsonSchema>()
  kept.set(schema, forms)
  const form = `${picked} ${unbounded}`
  const earlier = forms.get(form)
  if (earlier) return earlier
  const components = (document.components?.schemas ?? {}) as Components
  const rewriter = new SchemaRewriter(components, { picked, unbounded })
  const body = rewriter.rewrite(schema, false) as JsonSchema
  const result = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...body,
    $defs: rewriter.definitions,
  }
  forms.set(form, result)
  return result
}

/** Rewrites one schema of the description, and collects those that it refers to. */
class SchemaRewriter {
  readonly #components: Components
  readonly #for: Required<Standalone>
  readonly definitions: Record<string, JsonSchema> = {}

  constructor(components: Components, use: Required<Standalone>) {
    this.#components = components
    this.#for = use
  }

  /** @param inPicked the schema is below an object whose keys `fields` picks */
  rewrite(node: unknown, inPicked: boolean): unknown {
    if (Array.isArray(node)) return node.map((each) => this.rewrite(each, inPicked))
    if (typeof node !== 'object' || node === null) return node
    const source = node as JsonSchema
    const loose = inPicked || (this.#for.picked && source['x-pick'] === true)
    const ofProfile = (source['x-profile'] ?? []) as readonly string[]
    const apart: Keywords = {}
    const result: Keywords = {}
    const parts: unknown[] = []
    for (const [keyword, value] of Object.entries(source)) {
      if (this.#leavesOut(keyword, loose)) continue
      if (ofProfile.includes(keyword)) apart[keyword] = value
      else if (keyword === '$ref') result.$ref = this.#define(String(value))
      else if (keyword === 'properties' && typeof value === 'object')
        result.properties = Object.fromEntries(
          Object.entries(value as JsonSchema).map(([name, each]) => [name, this.rewrite(each, loose)]),
        )
      else if (keyword === 'if') result.if = value
      else if (keyword === 'anyOf') {
        const chosen = this.#choice(value as JsonSchema[], loose)
        if (chosen.anyOf === undefined) parts.push(chosen)
        else result.anyOf = chosen.anyOf
      } else if (keyword === 'allOf') parts.push(...(this.rewrite(value, loose) as unknown[]))
      else if (keyword === 'additionalProperties' && isAccepting(value, this.#components)) continue
      else if (keyword === 'pattern' && Object.hasOwn(formats, String(source.format))) continue
      else result[keyword] = this.rewrite(value, loose)
    }
    if (Object.keys(apart).length > 0) parts.push({ 'x-requirement': OF_PROFILE, ...apart })
    return parts.length === 0 ? result : { ...result, allOf: parts }
  }

  #leavesOut(keyword: string, loose: boolean): boolean {
    if (ANNOTATIONS.includes(keyword) || keyword === 'x-profile') return true
    if (loose && (keyword === 'required' || TEXT_FORMS.includes(keyword))) return true
    return this.#for.unbounded && BOUNDS.includes(keyword)
  }

  /** Turns alternatives into a choice: the first whose `x-when` matches the value, otherwise those without `x-when`. */
  #choice(alternatives: readonly JsonSchema[], loose: boolean): Keywords {
    const others = alternatives
      .filter((each) => each['x-when'] === undefined)
      .map((each) => this.rewrite(each, loose) as Keywords)
    return alternatives
      .filter((each) => each['x-when'] !== undefined && each['x-when'] !== false)
      .reduceRight<Keywords>(
        (otherwise, { 'x-when': condition, ...each }) => ({
          if: condition,
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: this.rewrite(each, loose),
          else: otherwise,
        }),
        others.length === 1 && others[0] !== undefined ? others[0] : { anyOf: others },
      )
  }

  /** @returns the reference to the definition */
  #define(reference: string): string {
    const name = reference.slice(POINTER.length)
    const target = this.#components[name]
    if (!reference.startsWith(POINTER) || !target)
      throw new Error(`spec/openapi.yaml refers to ${reference}, which is not one of its schemas.`)
    if (!(this.definitions[name] ?? false)) {
      // Cached before it is rewritten: records contain records, errors contain errors.
      this.definitions[name] = {}
      this.definitions[name] = this.rewrite(target, false) as JsonSchema
    }
    return `#/$defs/${name}`
  }
}

/** Whether every value matches the schema. Used where validation would loop over all keys of an object. */
function isAccepting(node: unknown, components: Components): boolean {
  if (typeof node === 'boolean') return node
  const { $ref, anyOf, ...rest } = node as JsonSchema
  return (
    Object.keys(rest).every((keyword) => SILENT.includes(keyword)) &&
    ($ref === undefined || isAccepting(components[String($ref).slice(POINTER.length)], components)) &&
    (anyOf === undefined || (anyOf as JsonSchema[]).some((each) => isAccepting(each, components)))
  )
}
