/**
 * Middleware for Express and other frameworks of Connect's style: `(request, response, next)`.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { KeptBody } from '../reading/kept-body.ts'
import { HeldResponse } from './held-response.ts'
import { limitOf } from './integration.ts'
import {
  failureRejection,
  headerText,
  IntegrationFailure,
  rejectionOf,
  type ServerIntegrationOptions,
  serverOutcome,
  serverValidator,
  warnOf,
} from './server-integration.ts'

/** A middleware for `app.use` of Express, and of others that call it with the same arguments. */
export type ConnectMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Middleware for Express: validates the responses of the application.
 *
 * With `report`, bytes are sent as they are written; `fail` and `mark` delay the response until it is validated.
 * Responses to requests outside the interface and event streams (`text/event-stream`) are not validated. The request
 * body is known if a parser, before or after this middleware, sets `request.body`.
 *
 * An error that `onResult` throws becomes a response with status 500; with `report`, a process warning. An error of the
 * validator itself does the same, but never changes a response with `mark`.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { connectConform } from 'record-auth-conformance/validate'
 *
 * const conforms = connectConform({ mode: 'mark' })
 * createServer((request, response) => {
 *   conforms(request, response, () => response.end())
 * }).listen(8090)
 * ```
 */
export function connectConform(options: ServerIntegrationOptions = {}): ConnectMiddleware {
  const validator = serverValidator(options)
  const mode = options.mode ?? 'fail'
  const limit = limitOf(validator)

  return (request, response, next) => {
    // Routers below a mount point shorten the URL; `originalUrl` is the complete one.
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? ''
    const { method = 'GET' } = request
    const kept = new KeptBody(limit)

    function judged(headers: Record<string, string>) {
      const { unjudged } = kept
      return serverOutcome(validator, options, {
        request: { method, url, headers: request.headers, body: (request as { body?: unknown }).body },
        response: { status: response.statusCode, headers, body: kept.bytes() },
        ...(unjudged !== undefined && { unjudged }),
      })
    }

    if (validator.operationOf({ method, url }) === undefined)
      response.once('finish', () => {
        const outcome = judged(response.getHeaders() as Record<string, string>)
        if (outcome instanceof IntegrationFailure) warnOf(outcome)
      })
    else
      new HeldResponse(response, kept, mode === 'report', (held) => {
        const outcome = judged(held.headers)
        if (outcome instanceof IntegrationFailure) {
          if (held.passing || (outcome.isOwn && mode === 'mark')) warnOf(outcome)
          else held.replace(failureRejection(outcome))
        } else if (outcome !== undefined && !held.passing) {
          if (mode === 'mark') response.setHeader('x-conformance', headerText(outcome.actual))
          else held.replace(rejectionOf(outcome))
        }
      })
    next()
  }
}
