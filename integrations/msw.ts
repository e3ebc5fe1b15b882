/**
 * The reference behind Mock Service Worker: one handler, which handles every request under the prefix, from any client of
 * the application.
 *
 * @example
 * ```ts
 * import { setupServer } from 'msw/node'
 * import { referenceHandler } from 'record-auth-conformance/msw'
 *
 * const server = setupServer(referenceHandler(reference, 'https://api.example.com'))
 * ```
 *
 * @module record-auth-conformance/msw
 */

import { type HttpHandler, HttpResponse, http } from 'msw'
import type { Reference } from '../reference/reference.ts'

/**
 * A handler of Mock Service Worker: the reference responds to everything under its prefix.
 *
 * @param origin where the application believes its server to be, without a path; `*` for anywhere
 * @throws TypeError for an origin that matches no request
 *
 * @example
 * ```ts
 * import { setupServer } from 'msw/node'
 * import { referenceHandler } from 'record-auth-conformance/msw'
 * import { createReference } from 'record-auth-conformance/reference'
 *
 * const server = setupServer(referenceHandler(createReference(), 'https://api.example.com'))
 * server.listen()
 * ```
 */
export function referenceHandler(reference: Pick<Reference, 'fetch' | 'prefix'>, origin = '*'): HttpHandler {
  const base = origin.replace(/\/+$/, '')
  if (base !== '' && base !== '*' && !/^https?:\/\/[^/]+$/.test(base))
    throw new TypeError(
      `${JSON.stringify(origin)} is not an origin, so no request would match: pass one such as "https://api.example.com", without ${reference.prefix || 'a path'}, or "*".`,
    )
  return http.all(`${base}${reference.prefix}/*`, async ({ request }) => {
    try {
      return await reference.fetch(request)
    } catch {
      // A fault on demand has dropped the connection: that is a network error for the application, too.
      return HttpResponse.error()
    }
  })
}
