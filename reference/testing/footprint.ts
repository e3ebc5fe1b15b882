/**
 * What an application depends on: the operations that its requests used, and the requirements that speak of them.
 *
 * @module
 */

import { loadRequirements } from '../../spec/requirements.ts'
import type { OperationId, Requirement } from '../../spec/vocabulary.ts'
import { readLine } from './operation-of.ts'
import type { LoggedRequest } from './request-log.ts'

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

/** One use of an operation. */
interface Use {
  operation: OperationId
  parameters: readonly string[]
  status: number | undefined
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

const writes: readonly OperationId[] = ['createRecord', 'updateRecord', 'deleteRecord']

function entriesOf({ operation, requestBody, status }: LoggedRequest, prefix: string): Use[] {
  const { requests } = (requestBody ?? {}) as { requests?: unknown }
  if (operation !== 'batch' || !Array.isArray(requests)) return []
  return requests.flatMap((entry: { method?: unknown; url?: unknown } | null) => {
    const [path = '', query] = String(entry?.url).split('?')
    const method = entry?.method === 'PUT' ? 'POST' : String(entry?.method)
    const used = readLine(method, path, prefix).operation
    const parameters = [...new URLSearchParams(query).keys()]
    return used !== undefined && writes.includes(used) ? [{ operation: used, parameters, status }] : []
  })
}

/** A requirement about errors wants one; a requirement about a parameter wants it used. */
function exercised({ id, operations }: Requirement, uses: readonly Use[]): boolean {
  const parameter = parameterOf.find(([pattern]) => pattern.test(id))?.[1]
  const wantsError = id.startsWith('error.')
  return uses.some(
    ({ operation, parameters, status = 0 }) =>
      operations.includes(operation) &&
      (parameter === undefined || parameters.includes(parameter)) &&
      (!wantsError || status >= 400),
  )
}

/** @param prefix of the reference that answered the requests */
export function footprintOf(requests: Iterable<LoggedRequest>, prefix: string): Footprint {
  const uses: Use[] = []
  const unknown = new Set<string>()
  const parameters: Record<string, number> = {}
  for (const request of requests) {
    const { operation, method, path, query, status } = request
    if (operation === undefined) {
      if (method !== 'OPTIONS') unknown.add(`${method} ${path}`)
      continue
    }
    uses.push({ operation, parameters: Object.keys(query), status }, ...entriesOf(request, prefix))
  }
  const operations: Partial<Record<OperationId, number>> = {}
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
