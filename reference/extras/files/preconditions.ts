/**
 * Conditional requests (RFC 9110, section 13): the response for a client that already has a copy.
 *
 * @module
 */

import { parseHttpDate } from './http-date.ts'

/** The validators of the stored file. */
export interface Validators {
  /** With its quotes. */
  etag: string
  /** In milliseconds since the epoch. */
  modified: number | undefined
}

/** The headers of a request by name, as rules spell them: `If-Match` is `if_match`. */
export type AskedHeaders = Readonly<Record<string, string | undefined>>

/**
 * Whether a list names the tag, or everything with `*`. As in the living family, commas may be missing, and what
 * follows the first mistake does not count.
 *
 * @param weak whether a weak tag equals the strong one
 */
function namesTag(list: string, etag: string, weak: boolean): boolean {
  for (const [, tag] of list.matchAll(/[\s,]*(\*|(?:W\/)?"[^"]*")/gy))
    if (tag === '*' || tag === etag || (weak && tag === `W/${etag}`)) return true
  return false
}

/**
 * 412 or 304 if a precondition ends the request, in the order of RFC 9110, section 13.2.2. An empty header counts as
 * left out.
 */
export function judgePreconditions(
  headers: AskedHeaders,
  { etag, modified }: Validators,
): 412 | 304 | undefined {
  const seconds = modified === undefined ? undefined : Math.floor(modified / 1000)
  const match = headers.if_match
  const unmodifiedSince = parseHttpDate(headers.if_unmodified_since ?? '')
  if (match) {
    if (!namesTag(match, etag, false)) return 412
  } else if (unmodifiedSince !== undefined && seconds !== undefined && seconds > unmodifiedSince) return 412
  const noneMatch = headers.if_none_match
  if (noneMatch) return namesTag(noneMatch, etag, true) ? 304 : undefined
  const modifiedSince = parseHttpDate(headers.if_modified_since ?? '')
  return modifiedSince !== undefined && seconds !== undefined && seconds <= modifiedSince ? 304 : undefined
}

/** Whether `Range` applies: it does unless `If-Range` names another version (RFC 9110, section 13.1.5). */
export function rangeCounts(headers: AskedHeaders, { etag, modified }: Validators): boolean {
  const condition = headers.if_range
  if (!condition) return true
  if (condition.includes('"')) return condition === etag
  return modified !== undefined && parseHttpDate(condition) === Math.floor(modified / 1000)
}
