/**
 * Middleware for Hono: validates the responses of the application.
 *
 * @module
 */

import type { PlainExchange, RequestFacts, ResponseFacts } from '../../exchange/plain-exchange.ts'
import { isEventStream } from '../reading/is-event-stream.ts'
import { overLimit } from '../reading/kept-body.ts'
import { peekBody } from '../reading/peek-body.ts'
import { type ConformanceError, limitOf } from './integration.ts'
import {
  headerText,
  IntegrationFailure,
  rejectionOf,
  type ServerIntegrationOptions,
  serverOutcome,
  serverValidator,
  warnOf,
} from './server-integration.ts'

/** The part of Hono's context that the middleware uses, so that users of other frameworks do not need Hono's types. */
export interface HonoContext {
  /** The request. */
  readonly req: {
    /** HTTP method in capitals. */
    readonly method: string
    /** Absolute address. */
    readonly url: string
    /** The request as it came in. */
    readonly raw: Request
  }
  /** The response of the application. */
  get res(): Response
  /** Replaces the response. Set it to undefined first; otherwise Hono adds the headers of the old one. */
  set res(response: Response | undefined)
}

/** A middleware for `app.use` of Hono. */
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<void>

/**
 * Middleware for Hono: validates the responses of the application.
 *
 * With `fail` and `mark`, a response is delayed until its body is complete and validated; with `report` it is sent at
 * once. Responses to requests outside the interface and event streams (`text/event-stream`) are not validated. Neither
 * is an incomplete body: the client sees the same error.
 *
 * An error that `onResult` throws is passed to `app.onError`; with `report`, it becomes a process warning. An error of
 * the validator itself does the same; with `mark`, it is a warning too.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import { honoConform } from 'record-auth-conformance/validate'
 *
 * const app = new Hono()
 * app.use(honoConform({ mode: 'mark' }))
 * ```
 */
export function honoConform(options: ServerIntegrationOptions = {}): HonoMiddleware {
  const validator = serverValidator(options)
  const mode = options.mode ?? 'fail'
  const limit = limitOf(validator)

  function judge(request: RequestFacts & { url: string }, response: ResponseFacts, unjudged?: string) {
    const exchange: PlainExchange = { request, response, ...(unjudged !== undefined && { unjudged }) }
    const outcome = serverOutcome(validator, options, exchange)
    if (!(outcome instanceof IntegrationFailure)) return outcome
    if (mode === 'report' || (outcome.isOwn && mode === 'mark')) warnOf(outcome)
    else throw outcome.isOwn ? outcome : outcome.cause
    return undefined
  }

  /** @returns also undefined for an incomplete body, or one that the client no longer waits for */
  async function judgeWhole(request: RequestFacts, res: Response, signal: AbortSignal) {
    const { status } = res
    const headers = Object.fromEntries(res.headers)
    let body: Uint8Array | undefined
    try {
      body = await peekBody(res, limit, signal)
    } catch {
      return undefined
    }
    if (body !== undefined) return judge(request, { status, headers, body })
    return judge(request, { status, headers }, overLimit(limit))
  }

  return async (context, next) => {
    const { method, url, raw } = context.req
    const request: RequestFacts = { method, url, headers: Object.fromEntries(raw.headers) }
    const covered = validator.operationOf({ method, url }) !== undefined
    if (covered && raw.body !== null) request.body = await peekBody(raw, limit)
    await next()
    const { res } = context
    if (!covered) {
      judge(request, { status: res.status })
      return
    }
    if (isEventStream(res.headers.get('content-type'))) return
    const judged = judgeWhole(request, res, raw.signal)
    if (mode === 'report') return
    const error = await judged
    if (error !== undefined) replace(context, error, mode)
  }
}

function replace(context: HonoContext, error: ConformanceError, mode: 'fail' | 'mark'): void {
  const { res } = context
  if (mode === 'mark') {
    context.res = new Response(res.body, res)
    context.res.headers.set('x-conformance', headerText(error.actual))
    return
  }
  const { status, headers, body } = rejectionOf(error)
  context.res = undefined
  context.res = new Response(body, { status, headers })
}
