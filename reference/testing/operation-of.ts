/**
 * Which operation of the document a request is, by its method and path. The request log, faults on demand and the
 * footprint speak of requests in these words.
 *
 * @module
 */

import { operationAt } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

/** A request as its first line tells it. */
export interface RequestLine {
  /** In capitals: `GET`. */
  method: string
  /** After the prefix, without the query: `/collections/posts/records`. */
  path: string
  /** Absent where the interface has no such operation. */
  operation: OperationId | undefined
  /** Name or id of the table, as it was sent. */
  table: string | undefined
  /** Id of the record. */
  id: string | undefined
}

function decode(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * @param pathname with the prefix, without the query
 * @param prefix of the reference
 */
export function readLine(method: string, pathname: string, prefix: string): RequestLine {
  const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
  const known = pathname !== path || prefix === ''
  if (!known) return { method, path, operation: undefined, table: undefined, id: undefined }
  const asked = method === 'HEAD' ? 'GET' : method
  const operation = operationAt(path, (each) => each.method === asked)?.operation.id
  // A request that no operation takes is about a table all the same.
  const [, table, id] = /^\/collections\/([^/]+)\/[^/]+(?:\/([^/]+))?$/.exec(path) ?? []
  return { method, path, operation, table: decode(table), id: decode(id) }
}
