import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import type { Json } from '../vocabulary.ts'

/** `GET /health`: whether the server runs. Superusers see a little more; there are no backups here to make. */
export function health({ caller, ip }: RequestContext): OperationResult {
  const data: Json =
    caller.kind === 'superuser' ? { canBackup: false, possibleProxyHeader: '', realIP: ip } : {}
  return { status: 200, body: { message: 'API is healthy.', code: 200, data } }
}
