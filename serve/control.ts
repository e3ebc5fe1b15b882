/**
 * The control endpoints, with which tests in any language control the server. Off by default, and only for programs and
 * pages of this machine.
 *
 * @module
 */

import { accessRejection } from './gate.ts'
import { controlOperations } from './operations.ts'
import type { Responding } from './respond.ts'
import { reject } from './respond.ts'
import { runOperation } from './run-operation.ts'
import type { Serving } from './serving.ts'

const start = '/_conformance/'

/** Responds to paths that begin with `/_conformance/`. */
export function createControl(serving: Serving): Responding {
  return async (request, ip) => {
    const { pathname } = new URL(request.url)
    if (pathname !== start.slice(0, -1) && !pathname.startsWith(start)) return undefined
    const rejection = accessRejection(request, ip, { sameOrigin: false })
    if (rejection !== undefined) return reject(rejection, 403)
    const response =
      request.method === 'OPTIONS'
        ? preflight(request)
        : await runOperation('control', serving, request, pathname.slice(start.length))
    return permit(request, response)
  }
}

/** The page has been accepted: its origin may read the response. */
function permit(request: Request, response: Response): Response {
  const origin = request.headers.get('origin')
  if (origin === null) return response
  response.headers.set('Access-Control-Allow-Origin', origin)
  response.headers.set('Vary', 'Origin')
  return response
}

function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers')
  const methods = controlOperations.flatMap(({ method, groups }) =>
    groups.includes('control') ? method : [],
  )
  const headers = new Headers({ 'Access-Control-Allow-Methods': [...new Set(methods)].sort().join(', ') })
  if (asked !== null) headers.set('Access-Control-Allow-Headers', asked)
  return new Response(null, { status: 204, headers })
}
