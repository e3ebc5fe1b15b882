/**
 * What an application depends on: the operations that its requests used, and the requirements that speak of them.
 *
 * @module
 */

import { type FieldType, fieldTypes } from '../../spec/field-types.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import type { OperationId, Requirement } from '../../spec/vocabulary.ts'
import type { LoggedRequest } from './logged-request.ts'
import { type FindTable, type Use, usesOf } from './use.ts'

/** What an application depends on. */
export interface Footprint {
  /** Operations with the number of requests, entries of batches included. */
  operations: Partial<Record<OperationId, number>>
  /** Query parameters of the interface, by name. */
  parameters: Record<string, number>
  /** Requests that the interface knows nothing of: `GET /realtime`. */
  unknown: string[]
  /** Ids, sorted. */
  requirements: string[]
  /** How many requirements there are. */
  total: number
}

/** Beginnings of requirement ids that speak of one query parameter. */
const parameterOf: readonly [RegExp, string][] = [
  [/^(?:filter\.|list\.filter)/, 'filter'],
  [/^(?:sort\.|list\.sort)/, 'sort'],
  [/^(?:expand\.|list\.expand)/, 'expand'],
  [/^fields\./, 'fields'],
  [/^list\.(?:page$|page-|pagination)/, 'page'],
  [/^list\.per-page/, 'perPage'],
  [/^list\.skip-total/, 'skipTotal'],
]

/** Field types by the beginnings of the requirement ids that speak of them. */
const fieldTypeOf: ReadonlyMap<string, FieldType> = new Map(
  (Object.keys(fieldTypes) as FieldType[]).map((type) => [fieldTypes[type].topic, type]),
)

/** Beginnings of requirement ids that speak of something that not every request has. */
const shownBy: Readonly<Record<string, (use: Use) => boolean>> = {
  error: ({ status = 0 }) => status >= 400,
  modifier: ({ modifies }) => modifies,
  account: ({ authTable }) => authTable,
  'auth-record': ({ authTable }) => authTable,
  'email-visibility': ({ authTable }) => authTable,
  'api-key': ({ apiKey }) => apiKey,
  mfa: ({ secondFactor }) => secondFactor,
}

/** An operation is not enough where a requirement speaks of one parameter, one field type or one kind of caller. */
function exercised({ id, operations }: Requirement, uses: readonly Use[]): boolean {
  const parameter = parameterOf.find(([pattern]) => pattern.test(id))?.[1]
  const [topic = ''] = id.split('.')
  const fieldType = fieldTypeOf.get(topic)
  return uses.some(
    (use) =>
      operations.includes(use.operation) &&
      (parameter === undefined || use.parameters.includes(parameter)) &&
      (fieldType === undefined || use.fieldTypes.has(fieldType)) &&
      (shownBy[topic]?.(use) ?? true),
  )
}

/**
 * @param prefix of the reference that answered the requests
 * @param find its tables
 */
export async function footprintOf(
  requests: Iterable<LoggedRequest>,
  prefix: string,
  find: FindTable,
): Promise<Footprint> {
  const uses: Use[] = []
  const unknown = new Set<string>()
  for (const request of requests) {
    const { operation, method, path } = request
    if (operation === undefined && method !== 'OPTIONS') unknown.add(`${method} ${path}`)
    uses.push(...(await usesOf(request, prefix, find)))
  }
  const operations: Partial<Record<OperationId, number>> = {}
  const parameters: Record<string, number> = {}
  for (const use of uses) {
    operations[use.operation] = (operations[use.operation] ?? 0) + 1
    for (const name of use.parameters) parameters[name] = (parameters[name] ?? 0) + 1
  }
  const all = [...loadRequirements().values()]
  const requirements = all.filter((one) => exercised(one, uses)).map(({ id }) => id)
  return {
    operations,
    parameters,
    unknown: [...unknown].sort(),
    requirements: requirements.sort(),
    total: all.length,
  }
}
