/**
 * Schemas taken out of the OpenAPI description so that they stand alone, and the way from a violation back to the
 * requirement that it breaks.
 *
 * @module
 */

import type { OpenAPIV3_1 } from 'openapi-types'

/** A JSON Schema of draft 2020-12, keywords unchecked. */
export type JsonSchema = { readonly [keyword: string]: unknown }

const POINTER = '#/components/schemas/'
/** What `fields` may take away or cut: required keys, and forms and lengths of texts. */
const TEXT_FORMS = ['format', 'pattern', 'minLength']

const whole = new WeakMap<JsonSchema, JsonSchema>()
const partial = new WeakMap<JsonSchema, JsonSchema>()

/**
 * A schema of the description with everything it refers to under `$defs`. Kept by the schema, so that equal questions
 * get the same object.
 *
 * @param picked for answers to a request with `fields`: objects marked `x-pick` require no key, and texts below them
 *   have no form
 */
export function standaloneSchema(
  schema: JsonSchema,
  document: OpenAPIV3_1.Document,
  { picked = false }: { picked?: boolean } = {},
): JsonSchema {
  const kept = picked ? partial : whole
  const earlier = kept.get(schema)
  if (earlier) return earlier
  const components = (document.components?.schemas ?? {}) as Record<string, JsonSchema>
  const $defs: Record<string, JsonSchema> = {}

  function rewrite(node: unknown, inPicked: boolean): unknown {
    if (Array.isArray(node)) return node.map((each) => rewrite(each, inPicked))
    if (typeof node !== 'object' || node === null) return node
    const source = node as JsonSchema
    const loose = inPicked || (picked && source['x-pick'] === true)
    const result: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(source)) {
      if (keyword === '$ref') result.$ref = define(String(value))
      else if (keyword === 'properties' && typeof value === 'object')
        result.properties = Object.fromEntries(
          Object.entries(value as JsonSchema).map(([name, each]) => [name, rewrite(each, loose)]),
        )
      else if (keyword === 'if' || keyword === 'examples') result[keyword] = value
      else if (loose && (keyword === 'required' || TEXT_FORMS.includes(keyword))) continue
      else result[keyword] = rewrite(value, loose)
    }
    return result
  }

  function define(reference: string): string {
    const name = reference.slice(POINTER.length)
    const target = components[name]
    if (!reference.startsWith(POINTER) || !target)
      throw new Error(`spec/openapi.yaml refers to ${reference}, which is none of its schemas.`)
    if (!($defs[name] ?? false)) {
      // Entered before it is rewritten: records hold records, errors hold errors.
      $defs[name] = {}
      $defs[name] = rewrite(target, false) as JsonSchema
    }
    return `#/$defs/${name}`
  }

  const body = rewrite(schema, false) as JsonSchema
  const result = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...body, $defs }
  kept.set(schema, result)
  return result
}

/** What no answer may show, whatever else is left open of it. */
export const neverShown: readonly string[] = ['wire.no-secrets', 'password.never-shown']

/**
 * The requirement that a value at `path` answers to: the innermost `x-requirement` on the way from the root. Inside a
 * part with `x-left-open` it is the one named there: a record has the fields of the document where the document shows
 * one, and elsewhere a server may answer with less, or with something else.
 *
 * @param path JSON pointer of the value, as a validator gives it (`/items/0/created`). For a missing or forbidden
 *   property append its name.
 * @param keyword what the value breaks: of several parts about one value, the one that says so goes first
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
 * The requirement of the part with `x-left-open` that a value at `path` stands in; undefined where the document shows
 * the value.
 *
 * @param path as for `requirementAt`
 */
export function leftOpenAt(schema: JsonSchema, path: string): string | undefined {
  return walk(schema, path).open
}

/** From the root to a value: the parts that speak of it, and the innermost names on the way. */
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

/** Names of all keys that a schema speaks of. */
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

/** The schemas themselves and all that apply to the same value. */
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
