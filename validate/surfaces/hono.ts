/**
 * Middleware for Hono: holds what the application answers against the interface.
 *
 * @module
 */

import type { MiddlewareHandler } from 'hono'
import { headerText, refusal, type ServerSurfaceOptions, serverValidator, toldOf } from './server-surface.ts'
import { settle } from './surface.ts'

/**
 * @example
 * app.use(honoConform({ mode: 'mark' }))
 */
export function honoConform(options: ServerSurfaceOptions = {}): MiddlewareHandler {
  const validator = serverValidator(options)
  const mode = options.mode ?? 'fail'
  return async (context, next) => {
    const sent = context.req.raw.body === null ? undefined : await context.req.raw.clone().text()
    await next()
    const { res } = context
    if (res.headers.get('content-type')?.startsWith('text/event-stream')) return
    const { method, url } = context.req
    const request = { method, url, headers: Object.fromEntries(context.req.raw.headers), body: sent }
    const result = await validator.validate(res, request)
    const error = settle(result, toldOf(options), request)
    if (error === undefined || mode === 'report') return
    if (mode === 'mark') {
      context.res = new Response(res.body, res)
      context.res.headers.set('x-conformance', headerText(error.actual))
      return
    }
    const { status, headers, body } = refusal(error)
    context.res = undefined
    context.res = new Response(body, { status, headers })
  }
}
