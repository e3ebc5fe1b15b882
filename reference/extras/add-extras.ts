/**
 * Routes that applications of the living family use in addition to the interface. They are not part of the
 * document: `spec/openapi.yaml` does not describe them, and no suite or validator checks them.
 *
 * @module
 */

import type { HonoBase } from 'hono/hono-base'
import { noSession } from '../auth/token-fault.ts'
import { unauthorized } from '../errors.ts'
import { customHandler, readHandler, responseHandler } from '../http/handle.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext, Services } from '../services.ts'
import type { Json } from '../vocabulary.ts'
import { downloadFile } from './files/download-file.ts'
import { connectRealtime } from './realtime/connect.ts'
import { oauth2Redirect } from './realtime/oauth2-redirect.ts'
import type { RealtimeInternals } from './realtime/realtime.ts'
import { setSubscriptions } from './realtime/set-subscriptions.ts'

/** @param app with the prefix as its base path, before its first request */
export function addExtras(app: HonoBase, services: Services, realtime: RealtimeInternals): void {
  app.get('/health', readHandler(services, [], health))

  app.post('/files/token', customHandler(services, [], fileToken))
  app.get(
    '/files/:table/:id/:name',
    responseHandler(services, ['file'], (context, c) => downloadFile(context, c.req.param('name') ?? '')),
  )

  app.get(
    '/realtime',
    responseHandler(services, [], (context, c) => connectRealtime(realtime, context, c.req.raw)),
  )
  app.post(
    '/realtime',
    customHandler(services, [], (context, request) => setSubscriptions(realtime, context, request)),
  )
  app.on(
    ['GET', 'POST'],
    '/oauth2-redirect',
    responseHandler(services, [], (context, c) => oauth2Redirect(realtime, context, c.req.raw)),
  )
}

/** `GET /health`: whether the server is running. Superusers see a little more. This server has no backups. */
function health({ caller, ip }: RequestContext): OperationResult {
  const data: Json =
    caller.kind === 'superuser' ? { canBackup: false, possibleProxyHeader: '', realIP: ip } : {}
  return { status: 200, body: { message: 'API is healthy.', code: 200, data } }
}

/**
 * `POST /files/token`: a short-lived token for links to protected files. The `fileToken` option of the caller's table
 * sets its lifetime, 180 seconds by default.
 *
 * @throws ApiError 401 if no record is signed in
 */
async function fileToken(context: RequestContext): Promise<OperationResult> {
  const { caller, services } = context
  if (caller.kind === 'guest' || caller.kind === 'key') throw unauthorized(noSession(context))
  return { status: 200, body: { token: await services.tokens.sign(caller.table, caller.row, 'file') } }
}
