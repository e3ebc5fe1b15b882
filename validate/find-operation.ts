/**
 * Finds the operation of a request that another client sent: behind a gateway, or only partly known.
 *
 * @module
 */

import { type OperationMatch, type OperationPath, operationAt } from '../exchange/operation.ts'
import type { OperationId } from '../spec/vocabulary.ts'

export interface FoundOperation {
  operation: OperationPath
  /** `{table}` of the path, decoded; empty if the path has none. */
  table: string
  /** `{id}` of the path, decoded. */
  id: string
}

/** Path without query, and query without its question mark. */
export function splitUrl(url: string): [path: string, query: string] {
  let from = 0
  const scheme = url.indexOf('://')
  if (scheme > 0 && scheme < 12) {
    from = url.indexOf('/', scheme + 3)
    if (from < 0) return ['/', '']
  }
  const hash = url.indexOf('#', from)
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?', from)
  return mark < 0 || mark > end
    ? [url.slice(from, end), '']
    : [url.slice(from, mark), url.slice(mark + 1, end)]
}

/**
 * @param method undefined if the response does not know it: then GET, or what its status and the path allow
 * @param path without query; may have a base path before the prefix
 */
export function findOperation(
  method: string | undefined,
  path: string,
  prefix: string,
  { operation, status }: { operation?: OperationId | undefined; status?: number } = {},
): FoundOperation | undefined {
  const at = path.startsWith(`${prefix}/`) ? 0 : path.indexOf(`${prefix}/collections/`)
  const start = at < 0 ? (path.endsWith(`${prefix}/batch`) ? path.length - `${prefix}/batch`.length : -1) : at
  // A base path has no empty segment at its end: the two slashes of `//api/v1/batch` are another path.
  if (start < 0 || path[start - 1] === '/') return undefined
  const after = path.slice(start + prefix.length)
  const upper = method?.toUpperCase()
  const wanted = upper === 'HEAD' ? 'GET' : upper
  if (operation !== undefined) return found(operationAt(after, ({ id }) => id === operation))
  const likely = wanted ?? likelyMethod(status)
  const match = operationAt(after, (each) => each.method === likely)
  return found(match ?? (wanted === undefined ? operationAt(after, () => true) : undefined))
}

/** A 201 is the response to a create. */
function likelyMethod(status: number | undefined): string {
  if (status === 204) return 'DELETE'
  return status === 201 ? 'POST' : 'GET'
}

function found(match: OperationMatch | undefined): FoundOperation | undefined {
  if (match === undefined) return undefined
  const { operation, params } = match
  return { operation, table: params.table ?? '', id: params.id ?? '' }
}
