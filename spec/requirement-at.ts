/**
 * Maps a violation of a standalone schema to the requirement that it breaks.
 *
 * @module
 */

import type { JsonSchema } from './json-schema.ts'

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
