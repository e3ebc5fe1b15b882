/**
 * Routes that applications of the living server family use in addition to the interface. They are not part of the
 * document: `spec/openapi.yaml` does not describe them, and no suite or validator checks them.
 *
 * @module
 */

import type { HonoBase } from 'hono/hono-base'
import { customHandler, readHandler, responseHandler } from '../http/handle.ts'
import type { Services } from '../services.ts'
import { downloadFile } from './files/download-file.ts'
import { fileToken } from './files/file-token.ts'
import { health } from './health.ts'
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
    responseHandler(services, ['file'], (context, c) =>
      downloadFile(context, c.req.param('name') ?? '', c.req.raw.headers),
    ),
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
