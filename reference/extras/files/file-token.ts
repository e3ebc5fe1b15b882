import { noSession } from '../../auth/token-fault.ts'
import { unauthorized } from '../../errors.ts'
import type { OperationResult } from '../../http/respond.ts'
import type { RequestContext } from '../../services.ts'

/**
 * `POST /files/token`: a short-lived token for links to protected files. The `fileToken` option of the caller's table
 * sets its lifetime, 180 seconds by default.
 *
 * @throws ApiError 401 if no record is signed in
 */
export async function fileToken(context: RequestContext): Promise<OperationResult> {
  const { caller, services } = context
  if (caller.kind === 'guest' || caller.kind === 'key')
    throw unauthorized(noSession(context), 'The request requires valid record authorization token.')
  return { status: 200, body: { token: await services.tokens.sign(caller.table, caller.row, 'file') } }
}
