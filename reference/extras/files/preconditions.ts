/**
 * Conditional requests (RFC 9110, section 13): what a client that holds a copy already is sent.
 *
 * @module
 */

/** What a copy is recognised by. */
export interface Validators {
  /** With its quotes. */
  etag: string
  /** In milliseconds since the epoch. */
  modified: number | undefined
}

/** Entity tags of a list; a weak one is equal to the strong one where comparison is weak. */
function namesTag(list: string, etag: string, weak: boolean): boolean {
  if (list.trim() === '*') return true
  return list.split(',').some((one) => {
    const tag = one.trim()
    return tag === etag || (weak && tag === `W/${etag}`)
  })
}

/** In whole seconds, as HTTP writes them. Undefined for what is not a date. */
function secondsOf(text: string | null): number | undefined {
  const time = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

/** 412 or 304 where a precondition ends the request, in the order of RFC 9110, section 13.2.2. */
export function judgePreconditions(headers: Headers, { etag, modified }: Validators): 412 | 304 | undefined {
  const seconds = modified === undefined ? undefined : Math.floor(modified / 1000)
  const match = headers.get('if-match')
  const unmodifiedSince = secondsOf(headers.get('if-unmodified-since'))
  if (match !== null) {
    if (!namesTag(match, etag, false)) return 412
  } else if (unmodifiedSince !== undefined && seconds !== undefined && seconds > unmodifiedSince) return 412
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== null) return namesTag(noneMatch, etag, true) ? 304 : undefined
  const modifiedSince = secondsOf(headers.get('if-modified-since'))
  return modifiedSince !== undefined && seconds !== undefined && seconds <= modifiedSince ? 304 : undefined
}

/** Whether `Range` counts: it does unless `If-Range` names another version (RFC 9110, section 13.1.5). */
export function rangeCounts(headers: Headers, { etag, modified }: Validators): boolean {
  const condition = headers.get('if-range')
  if (condition === null) return true
  if (condition.includes('"')) return condition === etag
  return modified !== undefined && secondsOf(condition) === Math.floor(modified / 1000)
}
