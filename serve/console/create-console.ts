/**
 * The console page of `conformance serve` at `/_/`: its files and its operations.
 *
 * @module
 */

import { accessRejection } from '../gate.ts'
import type { Responding } from '../respond.ts'
import { reject } from '../respond.ts'
import { runOperation } from '../run-operation.ts'
import type { Serving } from '../serving.ts'
import { headersOfPage, pageResponse, staticFile } from '../static-files.ts'

const start = '/_/'
const api = '/_/api/'
const files = new URL('./static/', import.meta.url)

/** Only our own scripts and styles, no strings parsed as markup, and no embedding in frames. */
const headers = headersOfPage([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
])

/** Responds to paths that begin with `/_/`, and leads browsers there from `/`. */
export function createConsole(serving: Serving): Responding {
  return async (request, ip) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/_' || (pathname === '/' && isNavigation(request)))
      return new Response(null, { status: 302, headers: { Location: start } })
    if (!pathname.startsWith(start)) return undefined
    if (!pathname.startsWith(api)) {
      const name = pathname.slice(start.length) || 'index.html'
      return pageResponse(request, headers, () => staticFile(name, files, headers))
    }
    const rejection = accessRejection(request, ip, { sameOrigin: true })
    if (rejection !== undefined) return reject(rejection, 403)
    return runOperation('console', serving, request, pathname.slice(api.length))
  }
}

/** Only browsers request HTML: at `/`, programs get what the interface responds. */
function isNavigation({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('accept')?.includes('text/html') === true
}
