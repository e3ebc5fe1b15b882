import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { sessionIn } from './session-in.ts'

/**
 * Refreshes the session of the superuser, whose token the whole run needs, its clean-up included. A server may end the
 * token that a refresh extends: then the run continues with the new one.
 */
export async function refreshSuperuser(context: CheckContext): Promise<ApiResponse> {
  const superusers = { role: '', name: '_superusers' }
  const root = context.api.as('superuser')
  const response = await root.authRefresh(superusers)
  const { token, recordId } = sessionIn(response)
  if (!response.ok || token === undefined || recordId === undefined) return response
  const before = await root.view(superusers, recordId)
  if (before.ok) return response
  const after = await context.api.withToken(token, 'superuser').view(superusers, recordId)
  if (after.ok) context.goOn('superuser', token)
  return response
}
