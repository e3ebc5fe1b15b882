/**
 * The names of everything that a request may contain according to the description: the parameters, keys and media types
 * that coverage counts, and who may send it.
 *
 * @module
 */

import type { JsonSchema } from './json-schema.ts'
import { type OperationSpec, openApiDocument } from './openapi.ts'

/** Actors by security scheme of the document. Any other scheme is an actor by its own name. */
const actors: Readonly<Record<string, string>> = {
  userSession: 'user',
  superuser: 'superuser',
  projectKey: 'apiKey',
}

/**
 * Names of everything that can be sent, in the order of the description:
 *
 * - `query.page`: a query parameter
 * - `header.authorization`: a header, in lower case, including headers of security schemes
 * - `content.application/json`: a media type of the body
 * - `body.requests[].method`: a key of the body, through objects and lists; `body.*` for other keys, if the body may
 *   have any
 */
export function describedParameters({ parameters, requestBody, security }: OperationSpec): string[] {
  const names = new Set<string>()
  for (const { name, in: place } of parameters) if (place !== 'path') names.add(parameterName(place, name))
  for (const scheme of security.flat()) names.add(schemeName(scheme))
  for (const [type, schema] of Object.entries(requestBody?.content ?? {})) {
    names.add(`content.${type}`)
    for (const key of keysIn(schema, 'body')) names.add(key)
  }
  names.delete('')
  return [...names]
}

/** `guest`, or the actor of a token: `user`, `superuser`, `apiKey`. */
export function describedActors({ security }: OperationSpec): string[] {
  const described = security.flatMap((schemes) => (schemes.length === 0 ? ['guest'] : schemes.map(actorOf)))
  return [...new Set(described)]
}

function actorOf(scheme: string): string {
  return actors[scheme] ?? scheme
}

function parameterName(place: string, name: string): string {
  return `${place}.${place === 'header' ? name.toLowerCase() : name}`
}

/** The header or query parameter that carries a token; `''` for another kind of scheme. */
function schemeName(scheme: string): string {
  const found = openApiDocument().components?.securitySchemes?.[scheme]
  if (found === undefined || !('type' in found)) return ''
  if (found.type === 'http') return 'header.authorization'
  return found.type === 'apiKey' ? parameterName(found.in, found.name) : ''
}

/** Keys of a value and, after each, the keys of nested objects and lists. Other keys are named at the top level only. */
function keysIn(schema: unknown, place: string, path: readonly unknown[] = []): string[] {
  if (typeof schema !== 'object' || schema === null || path.includes(schema)) return []
  const { $ref, properties, additionalProperties, patternProperties, items, ...rest } = schema as JsonSchema
  const within = [...path, schema]
  const named = Object.entries((properties ?? {}) as JsonSchema).flatMap(([key, each]) => [
    `${place}.${key}`,
    ...keysIn(each, `${place}.${key}`, within),
  ])
  const isOpen = (additionalProperties ?? false) !== false || patternProperties !== undefined
  const parts = [rest.allOf, rest.anyOf, rest.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return [
    ...named,
    ...(isOpen && place === 'body' ? ['body.*'] : []),
    ...keysIn(items, `${place}[]`, within),
    ...[...parts, rest.then, rest.else, referredTo($ref)].flatMap((part) => keysIn(part, place, within)),
  ]
}

function referredTo(reference: unknown): unknown {
  if (typeof reference !== 'string') return undefined
  return openApiDocument().components?.schemas?.[reference.slice(reference.lastIndexOf('/') + 1)]
}
