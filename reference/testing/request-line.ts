/**
 * Maps the method and path of a request to its operation of the document. The request log, faults on demand and the
 * footprint identify requests by these properties.
 *
 * @module
 */

import { operationAt } from '../../exchange/operation.ts'
import type { OperationId } from '../../spec/vocabulary.ts'

/** A request by its request line. */
export interface RequestLine {
  /** In capitals: `GET`. */
  method: string
  /** After the prefix, without the query: `/collections/posts/records`. */
  path: string
  /** Absent if the interface does not have the operation. */
  operation: OperationId | undefined
  /** Name or id of the table, as the path has it. */
  table: string | undefined
  /** Id of the record. */
  id: string | undefined
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
  const match = operationAt(path, (each) => each.method === asked)
  // A request whose method is not one of the path may still name a table.
  const { table, id } = (match ?? operationAt(path, () => true))?.params ?? {}
  return { method, path, operation: match?.operation.id, table, id }
}
