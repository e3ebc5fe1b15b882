import { unauthorized } from '../../errors.ts'
import type { OperationResult } from '../../http/respond.ts'
import type { RequestContext } from '../../services.ts'

/**
 * `POST /files/token`: a short-lived token for links to protected files. It lasts as long as the `fileToken` of the
 * caller's table says, 180 seconds by default.
 *
 * @throws ApiError 401 when no record is signed in
 */
export async function fileToken({ caller, services }: RequestContext): Promise<OperationResult> {
  if (caller.kind === 'guest' || caller.kind === 'key')
    throw unauthorized('The request requires valid record authorization token.')
  return { status: 200, body: { token: await services.tokens.sign(caller.table, caller.row, 'file') } }
}
