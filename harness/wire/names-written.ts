/**
 * Responses to a write that are not a 2xx, and say that it was done nevertheless.
 *
 * @module
 */

import type { ApiResponse } from '../vocabulary/api.ts'
import type { WireRequest } from './transport.ts'

/**
 * Whether the response is a 303 (See Other) with the address of what was written: the new record after a create, or the same
 * record after an update. The document leaves the statuses of these requests open (section 4.1). Any other redirect may lead
 * to a sign-in page or to another server, and one to a list may also follow a rejected delete: they show nothing.
 *
 * @param baseUrl of the target
 */
export function namesWritten(
  { method, path }: Pick<WireRequest, 'method' | 'path'>,
  { status, headers: { location } }: Pick<ApiResponse, 'status' | 'headers'>,
  baseUrl: string,
): boolean {
  if (status !== 303 || location === undefined) return false
  const sent = new URL(path, baseUrl)
  if (!URL.canParse(location, sent.href)) return false
  const named = new URL(location, sent)
  const [ours, theirs] = [placeIn(sent), placeIn(named)]
  if (ours === undefined || theirs === undefined) return false
  if (named.origin !== sent.origin || theirs.parent !== ours.parent) return false
  if (method === 'POST') return ours.id === undefined && theirs.id !== undefined
  return method === 'PATCH' && ours.id !== undefined && theirs.id === ours.id
}

/** Where the table of a path is, and the id of its record. The table itself may be named by its name or its identifier. */
function placeIn({ pathname }: URL): { parent: string | undefined; id: string | undefined } | undefined {
  const [, parent, id] = /^(.*\/)[^/]+\/records(?:\/([^/]+))?$/.exec(pathname) ?? []
  return parent === undefined ? undefined : { parent, id }
}
