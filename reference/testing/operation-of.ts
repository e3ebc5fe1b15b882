/**
 * Which operation of the document a request is, by its method and path. The request log, faults on demand and the
 * footprint speak of requests in these words.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'

/** A request as its first line tells it. */
export interface RequestLine {
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

const onTable: Readonly<Record<string, OperationId>> = {
  'GET records': 'listRecords',
  'HEAD records': 'listRecords',
  'POST records': 'createRecord',
  'GET auth-methods': 'listAuthMethods',
  'HEAD auth-methods': 'listAuthMethods',
  'POST auth-with-password': 'authWithPassword',
  'POST auth-with-oauth2': 'authWithOAuth2',
  'POST request-otp': 'requestOtp',
  'POST auth-with-otp': 'authWithOtp',
  'POST auth-refresh': 'authRefresh',
  'POST request-verification': 'requestVerification',
  'POST confirm-verification': 'confirmVerification',
  'POST request-password-reset': 'requestPasswordReset',
  'POST confirm-password-reset': 'confirmPasswordReset',
  'POST request-email-change': 'requestEmailChange',
  'POST confirm-email-change': 'confirmEmailChange',
}

const onRecord: Readonly<Record<string, OperationId>> = {
  'GET records': 'viewRecord',
  'HEAD records': 'viewRecord',
  'PATCH records': 'updateRecord',
  'DELETE records': 'deleteRecord',
  'POST impersonate': 'impersonate',
}

/** All operations, by the names that requests can be matched by. */
export const operations: readonly OperationId[] = [
  ...new Set([...Object.values(onTable), ...Object.values(onRecord), 'batch' as const]),
]

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
  if (known && path === '/batch') {
    const operation = method === 'POST' ? 'batch' : undefined
    return { method, path, operation, table: undefined, id: undefined }
  }
  const [, table, name = '', id] =
    (known && /^\/collections\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(path)) || []
  const operation = (id === undefined ? onTable : onRecord)[`${method} ${name}`]
  return { method, path, operation, table: decode(table), id: decode(id) }
}
