/**
 * Extracts standalone schemas from the OpenAPI description, and maps a violation to the requirement that it breaks.
 *
 * The description is written for readers and for generators of code, so its alternatives are plain `anyOf`. A validator
 * needs more: errors of the one alternative that a value is meant to be, and of the requirement that this breaks. The
 * standalone form has both, and accepts exactly the same values.
 *
 * @module
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import { formats } from './formats.ts'

/** A JSON Schema of draft 2020-12, keywords unchecked. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Keywords = Record<string, unknown>

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
  const components = (document.components?.schemas ?? {}) as Record<string, JsonSchema>
  const $defs: Record<string, JsonSchema> = {}

  function rewrite(node: unknown, inPicked: boolean): unknown {
    if (Array.isArray(node)) return node.map((each) => rewrite(each, inPicked))
    if (typeof node !== 'object' || node === null) return node
    const source = node as JsonSchema
    const loose = inPicked || (picked && source['x-pick'] === true)
    const ofProfile = (source['x-profile'] ?? []) as readonly string[]
    const apart: Keywords = {}
    const result: Keywords = {}
    const parts: unknown[] = []
    for (const [keyword, value] of Object.entries(source)) {
      if (ANNOTATIONS.includes(keyword) || keyword === 'x-profile') continue
      if (loose && (keyword === 'required' || TEXT_FORMS.includes(keyword))) continue
      if (unbounded && BOUNDS.includes(keyword)) continue
      if (ofProfile.includes(keyword)) apart[keyword] = value
      else if (keyword === '$ref') result.$ref = define(String(value))
      else if (keyword === 'properties' && typeof value === 'object')
        result.properties = Object.fromEntries(
          Object.entries(value as JsonSchema).map(([name, each]) => [name, rewrite(each, loose)]),
        )
      else if (keyword === 'if') result.if = value
      else if (keyword === 'anyOf') {
        const chosen = choice(value as JsonSchema[], loose)
        if (chosen.anyOf === undefined) parts.push(chosen)
        else result.anyOf = chosen.anyOf
      } else if (keyword === 'allOf') parts.push(...(rewrite(value, loose) as unknown[]))
      else if (keyword === 'additionalProperties' && isAccepting(value)) continue
      else if (keyword === 'pattern' && Object.hasOwn(formats, String(source.format))) continue
      else result[keyword] = rewrite(value, loose)
    }
    if (Object.keys(apart).length > 0) parts.push({ 'x-requirement': OF_PROFILE, ...apart })
    return parts.length === 0 ? result : { ...result, allOf: parts }
  }

  /** Turns alternatives into a choice: the first whose `x-when` matches the value, otherwise those without `x-when`. */
  function choice(alternatives: readonly JsonSchema[], loose: boolean): Keywords {
    const others = alternatives
      .filter((each) => each['x-when'] === undefined)
      .map((each) => rewrite(each, loose) as Keywords)
    return alternatives
      .filter((each) => each['x-when'] !== undefined && each['x-when'] !== false)
      .reduceRight<Keywords>(
        (otherwise, { 'x-when': condition, ...each }) => ({
          if: condition,
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: rewrite(each, loose),
          else: otherwise,
        }),
        others.length === 1 && others[0] !== undefined ? others[0] : { anyOf: others },
      )
  }

  /** Whether every value matches the schema. Used where validation would loop over all keys of an object. */
  function isAccepting(node: unknown): boolean {
    if (typeof node === 'boolean') return node
    const { $ref, anyOf, ...rest } = node as JsonSchema
    return (
      Object.keys(rest).every((keyword) => SILENT.includes(keyword)) &&
      ($ref === undefined || isAccepting(components[String($ref).slice(POINTER.length)])) &&
      (anyOf === undefined || (anyOf as JsonSchema[]).some((each) => isAccepting(each)))
    )
  }

  function define(reference: string): string {
    const name = reference.slice(POINTER.length)
    const target = components[name]
    if (!reference.startsWith(POINTER) || !target)
      throw new Error(`spec/openapi.yaml refers to ${reference}, which is not one of its schemas.`)
    if (!($defs[name] ?? false)) {
      // Cached before it is rewritten: records contain records, errors contain errors.
      $defs[name] = {}
      $defs[name] = rewrite(target, false) as JsonSchema
    }
    return `#/$defs/${name}`
  }

  const body = rewrite(schema, false) as JsonSchema
  const result = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...body, $defs }
  forms.set(form, result)
  return result
}

/** The schemas of what no response may show, even where the rest of the response is unspecified. */
export const neverShown: readonly string[] = ['wire.no-secrets', 'password.never-shown']

/**
 * The requirement for the value at `path`: the innermost `x-requirement` on the path from the root. Inside a part with
 * `x-left-open` it is the one named there: a record has the fields of the document where the document shows one;
 * elsewhere a server may return less, or something else.
 *
 * @param path JSON pointer of the value, as a validator reports it (`/items/0/created`). For a missing or forbidden
 *   property append its name.
 * @param keyword the keyword that the value violates. If several parts apply to one value, a part with this keyword
 *   takes precedence
 */
export function requirementAt(schema: JsonSchema, path: string, keyword?: string): string | undefined {
  const { here, found: last, open } = walk(schema, path)
  let found = last
  if (keyword !== undefined)
    found =
      firstOf(
        here.filter((part) => Object.hasOwn(part, keyword)),
        'x-requirement',
      ) ?? found
  return open === undefined || neverShown.includes(found ?? '') ? found : open
}

/**
 * The requirement of the part with `x-left-open` that contains the value at `path`; undefined if the document shows the
 * value.
 *
 * @param path as for `requirementAt`
 */
export function leftOpenAt(schema: JsonSchema, path: string): string | undefined {
  return walk(schema, path).open
}

/** Walks from the root to a value. Returns the parts that apply to it, and the innermost names on the path. */
function walk(
  schema: JsonSchema,
  path: string,
): { here: JsonSchema[]; found: string | undefined; open: string | undefined } {
  const segments = path.split('/').slice(1)
  const defs = (schema.$defs ?? {}) as Record<string, JsonSchema>
  let here = reach([schema], defs)
  let found = firstOf(here, 'x-requirement')
  let open = firstOf(here, 'x-left-open')
  for (const segment of segments) {
    here = reach(
      here.flatMap((each) => step(each, segment.replaceAll('~1', '/').replaceAll('~0', '~'))),
      defs,
    )
    found = firstOf(here, 'x-requirement') ?? found
    open = firstOf(here, 'x-left-open') ?? open
  }
  return { here, found, open }
}

/** Names of all keys in a schema. */
export function keysOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  const { properties } = schema as { properties?: unknown }
  if (typeof properties === 'object' && properties !== null)
    for (const name of Object.keys(properties)) found.add(name)
  for (const part of Object.values(schema)) keysOf(part, found)
  return found
}

function firstOf(schemas: JsonSchema[], extension: string): string | undefined {
  for (const schema of schemas) {
    const id = schema[extension]
    if (typeof id === 'string') return id
  }
  return undefined
}

/** The schemas and all others that apply to the same value. */
function reach(schemas: JsonSchema[], defs: Record<string, JsonSchema>): JsonSchema[] {
  const seen = new Set<JsonSchema>()
  function visit(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null || seen.has(schema as JsonSchema)) return
    const known = schema as JsonSchema
    seen.add(known)
    if (typeof known.$ref === 'string') visit(defs[known.$ref.slice('#/$defs/'.length)])
    visit(known.then)
    visit(known.else)
    for (const list of [known.allOf, known.anyOf, known.oneOf]) if (Array.isArray(list)) list.forEach(visit)
  }
  schemas.forEach(visit)
  return [...seen]
}

function step(schema: JsonSchema, segment: string): JsonSchema[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const next: unknown[] = Object.hasOwn(properties, segment)
    ? [properties[segment]]
    : [schema.additionalProperties]
  if (/^\d+$/.test(segment)) next.push(schema.items)
  return next.filter((each): each is JsonSchema => typeof each === 'object' && each !== null)
}
