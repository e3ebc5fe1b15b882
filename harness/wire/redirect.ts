/**
 * Where a response leads to. Nothing here follows a redirect: whoever tests a server asks that server and no other, and
 * what another one answers says nothing about it.
 *
 * @module
 */

import type { Reply } from '../vocabulary/api.ts'

/**
 * The address of a redirect without credentials, query and fragment, for messages. Undefined where the response is no
 * redirect, or names nothing that could be requested by HTTP.
 *
 * @param from address of the request, which a relative one is resolved by
 */
export function redirectOf(
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
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
