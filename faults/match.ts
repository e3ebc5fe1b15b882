/**
 * Which operation a request is for, seen from the side of a fault.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

const byAction: Record<string, OperationId> = {
  'GET auth-methods': 'listAuthMethods',
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

const byRecordMethod: Record<string, OperationId> = {
  GET: 'viewRecord',
  PATCH: 'updateRecord',
  DELETE: 'deleteRecord',
}

export interface Match {
  operation: OperationId
  table?: string
  id?: string
}

/** The operation of the document that method and path name. `path` is without the query. */
export function matchOperation(method: string, path: string, prefix: string): Match | undefined {
  if (!path.startsWith(`${prefix}/`)) return undefined
  const parts = path
    .slice(prefix.length + 1)
    .split('/')
    .map(decoded)
  if (parts.length === 1 && parts[0] === 'batch' && method === 'POST') return { operation: 'batch' }
  const [head, table, action = '', id] = parts
  if (head !== 'collections' || table === undefined) return undefined
  if (action === 'records' && parts.length === 3) {
    if (method === 'GET') return { operation: 'listRecords', table }
    if (method === 'POST') return { operation: 'createRecord', table }
    return undefined
  }
  if (parts.length === 4 && id !== undefined) {
    const operation = action === 'records' ? byRecordMethod[method] : undefined
    if (operation !== undefined) return { operation, table, id }
    return action === 'impersonate' && method === 'POST' ? { operation: 'impersonate', table, id } : undefined
  }
  const operation = parts.length === 3 ? byAction[`${method} ${action}`] : undefined
  return operation === undefined ? undefined : { operation, table }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
