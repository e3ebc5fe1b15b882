/**
 * `POST /collections/{table}/impersonate/{id}` (contract-auth section 8).
 *
 * @module
 */

import { forbidden, unauthorized } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import { findRow, findTable } from '../records/find.ts'
import type { RequestContext } from '../services.ts'
import { readAuthBody, throwInvalid } from './auth-body.ts'
import { authResponse } from './auth-response.ts'
import { requireAuthTable } from './auth-table.ts'
import { callerAtPresent, noSession } from './token-fault.ts'

const negative = {
  code: 'validation_min_greater_equal_than_required',
  message: 'Must be no less than 0.',
  params: { threshold: 0 },
}

/**
 * Returns a token for any auth record. The token cannot be refreshed. authRule and the second factor do not apply.
 *
 * @throws ApiError 401 guest; 403 not a superuser; 404 no such auth table or record; 400 body, negative duration
 */
export async function impersonate(context: RequestContext, request: Request): Promise<OperationResult> {
  const { caller } = context
  const { store, tokens } = context.services
  if (caller.kind === 'guest') throw unauthorized(noSession(context))
  if (caller.kind !== 'superuser') {
    const name = callerAtPresent(context)
    throw forbidden(
      () => `Only superusers impersonate. The caller is ${name()}.`,
      'The authorized record is not allowed to perform this action.',
    )
  }
  const table = requireAuthTable(
    findTable(context, store.current, 'Missing or invalid auth collection context.'),
    store.current,
  )
  findRow(context, store.current, table)
  const body = await readAuthBody(context, request, { hideMediaType: true })
  // The body can arrive slowly: since the request began the superuser's session may have ended, or the record may be
  // gone.
  const reader = store.current
  if ((await tokens.verify(reader, caller.token.text, 'auth')) === undefined) {
    throw unauthorized(() => 'The session of the superuser ended before the body arrived.')
  }
  const row = findRow(context, reader, table)
  const duration = body.integer('duration')
  throwInvalid({ duration: duration < 0 ? negative : undefined })
  const lifetime = duration === 0 ? {} : { duration }
  const token = await tokens.sign(table, row, 'auth', { refreshable: false, ...lifetime })
  return authResponse(context, reader, { table, row, token })
}
