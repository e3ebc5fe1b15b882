import type { ApiResponse } from '../../harness/vocabulary/api.ts'

/** Headers that are about the message, the connection or the server: their values are none of an account. */
const ordinary: ReadonlySet<string> = new Set([
  ...['accept-ranges', 'age', 'allow', 'alt-svc', 'cache-control', 'connection', 'content-encoding'],
  ...['content-language', 'content-length', 'content-type', 'date', 'etag', 'expires', 'host'],
  ...['keep-alive', 'last-modified', 'nel', 'permissions-policy', 'pragma', 'referrer-policy', 'report-to'],
  ...['reporting-endpoints', 'retry-after', 'server', 'server-timing', 'strict-transport-security'],
  ...['transfer-encoding', 'upgrade', 'vary', 'via', 'x-powered-by', 'x-response-time', 'x-runtime'],
  'x-xss-protection',
])
const ordinaryForm =
  /^(?:access-control|content-security|cross-origin|origin-agent|x-content|x-dns|x-download|x-frame|x-permitted|(?:x-)?rate-?limit)-/

/** The values of the other headers by name: a cookie, or what only this server sends. */
export function unusualHeaders({ headers }: Pick<ApiResponse, 'headers'>): Record<string, string> {
  const others = Object.entries(headers).filter(
    ([name]) => !ordinary.has(name.toLowerCase()) && !ordinaryForm.test(`${name.toLowerCase()}-`),
  )
  return Object.fromEntries(others)
}
