/**
 * The target of a redirect. Nothing here follows one: a test of a server sends requests to that server only, since the
 * responses of another one say nothing about it.
 *
 * @module
 */

import type { ApiResponse } from '../vocabulary/api.ts'

/**
 * The address of a redirect without credentials, query and fragment, for messages. Undefined if the response is not a
 * redirect, or names nothing that can be requested by HTTP.
 *
 * @param from address of the request, the base of a relative one
 */
export function redirectOf(
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  from: string,
): URL | undefined {
  const { location } = headers
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, from))
    return undefined
  const url = new URL(location, from)
  if (!/^https?:$/.test(url.protocol)) return undefined
  Object.assign(url, { username: '', password: '', search: '', hash: '' })
  return url
}

/**
 * What to do about lists that redirect.
 *
 * @param there address to which one redirects
 * @param correction what makes the run send its requests there
 */
export function redirectHint(there: string, correction: string): string {
  return there.endsWith('/records/')
    ? 'the server adds a slash to paths: let it respond without one, since the paths of the document have none (section 4)'
    : `${correction} if this is the server to test`
}
