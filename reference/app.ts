/**
 * The routes: one line per operation of the document, and a 404 for every other path.
 *
 * @module
 */

import { HonoBase } from 'hono/hono-base'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { authMethods } from './auth/auth-methods.ts'
import { authRefresh } from './auth/auth-refresh.ts'
import { authWithOAuth2 } from './auth/auth-with-oauth2.ts'
import { authWithOtp } from './auth/auth-with-otp.ts'
import { authWithPassword } from './auth/auth-with-password.ts'
import { confirmEmailChange } from './auth/confirm-email-change.ts'
import { confirmPasswordReset } from './auth/confirm-password-reset.ts'
import { confirmVerification } from './auth/confirm-verification.ts'
import { impersonate } from './auth/impersonate.ts'
import { requestEmailChange } from './auth/request-email-change.ts'
import { requestOtp } from './auth/request-otp.ts'
import { requestPasswordReset } from './auth/request-password-reset.ts'
import { requestVerification } from './auth/request-verification.ts'
import { receiveBatch, runBatch } from './batch/batch.ts'
import { notFound } from './errors.ts'
import { customHandler, readHandler, writeHandler } from './http/handle.ts'
import { errorResponse, toApiError } from './http/respond.ts'
import { unknownPath } from './http/unknown-path.ts'
import { createRecord } from './records/create.ts'
import { deleteRecord } from './records/delete.ts'
import { listRecords } from './records/list.ts'
import { receiveDeletion, receiveRecord } from './records/receive.ts'
import { updateRecord } from './records/update.ts'
import { viewRecord } from './records/view.ts'
import type { Services } from './services.ts'

/** The interface as a Hono application: `app.fetch(request)`. */
export function createApp(services: Services): HonoBase {
  const app = new HonoBase({ router: new RegExpRouter() }).basePath(services.prefix)
  const table = '/collections/:table'

  app.get(`${table}/records`, readHandler(services, ['list'], listRecords))
  app.get(`${table}/records/:id`, readHandler(services, ['view'], viewRecord))
  app.post(`${table}/records`, writeHandler(services, ['create'], receiveRecord, createRecord))
  app.patch(`${table}/records/:id`, writeHandler(services, ['update'], receiveRecord, updateRecord))
  app.delete(`${table}/records/:id`, writeHandler(services, ['delete'], receiveDeletion, deleteRecord))
  app.post('/batch', writeHandler(services, [], receiveBatch, runBatch))

  app.get(`${table}/auth-methods`, readHandler(services, ['listAuthMethods'], authMethods))
  app.post(
    `${table}/auth-with-password`,
    customHandler(services, ['authWithPassword', 'auth'], authWithPassword),
  )
  app.post(`${table}/auth-with-oauth2`, customHandler(services, ['authWithOAuth2', 'auth'], authWithOAuth2))
  app.post(`${table}/request-otp`, customHandler(services, ['requestOTP'], requestOtp))
  app.post(`${table}/auth-with-otp`, customHandler(services, ['authWithOTP', 'auth'], authWithOtp))
  app.post(`${table}/auth-refresh`, customHandler(services, ['authRefresh'], authRefresh))
  app.post(`${table}/impersonate/:id`, customHandler(services, [], impersonate))

  const flow = (name: string, action: string, operation: typeof requestVerification) =>
    app.post(`${table}/${name}`, customHandler(services, [action], operation))
  flow('request-verification', 'requestVerification', requestVerification)
  flow('confirm-verification', 'confirmVerification', confirmVerification)
  flow('request-password-reset', 'requestPasswordReset', requestPasswordReset)
  flow('confirm-password-reset', 'confirmPasswordReset', confirmPasswordReset)
  flow('request-email-change', 'requestEmailChange', requestEmailChange)
  flow('confirm-email-change', 'confirmEmailChange', confirmEmailChange)

  app.notFound(({ req: { method, path } }) =>
    errorResponse(notFound(unknownPath(method, path, { prefix: services.prefix, routes: app.routes }))),
  )
  app.onError((error) => errorResponse(toApiError(error, services.log)))
  return app
}
