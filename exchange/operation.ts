/**
 * Finds the operation of a request by its method and path. Nothing is cached by path, so a million different paths need
 * no memory.
 *
 * @module
 */

import { operationPaths } from '../spec/generated/operations.ts'
import { documentPrefix } from '../spec/prefix.ts'
import { percentDecoded } from './percent-decoded.ts'

export type OperationPath = (typeof operationPaths)[number]

export interface OperationMatch {
  operation: OperationPath
  /** Values of the path parameters, decoded. A value that cannot be decoded is returned as it was sent. */
  params: { table?: string; id?: string }
}

/**
 * The first operation with this path that is accepted: by its method, for example.
 *
 * @param path after the prefix, from the slash on, without the query
 */
export function operationAt(
  path: string,
  accepts: (operation: OperationPath) => boolean,
): OperationMatch | undefined {
  if (!path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/')
  for (const operation of operationPaths) {
    if (!accepts(operation)) continue
    const params = paramsIn(operation.segments, segments)
    if (params !== undefined) return { operation, params }
  }
  return undefined
}

/**
 * The operation of a request. The method is case-sensitive. A path that cannot be decoded matches no operation.
 *
 * @param path from the host on, with or without a query
 * @param prefix of the target, if it differs from the document's (binding key `prefix`)
 */
export function matchOperation(
  method: string,
  path: string,
  prefix: string = documentPrefix,
): OperationMatch | undefined {
  const plain = path.split('?', 1)[0] ?? ''
  if (!plain.startsWith(`${prefix}/`) || percentDecoded(plain) === undefined) return undefined
  return operationAt(plain.slice(prefix.length), (operation) => operation.method === method)
}

function paramsIn(
  template: readonly string[],
  segments: readonly string[],
): OperationMatch['params'] | undefined {
  if (template.length !== segments.length) return undefined
  const params: OperationMatch['params'] = {}
  for (let at = 0; at < template.length; at++) {
    const expected = template[at]
    const actual = segments[at] ?? ''
    if (expected === '{table}') params.table = percentDecoded(actual) ?? actual
    else if (expected === '{id}') params.id = percentDecoded(actual) ?? actual
    else if (expected !== actual) return undefined
    if (actual === '') return undefined
  }
  return params
}
