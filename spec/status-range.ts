/**
 * Ranges of statuses, and what a status is about. The description has one entry for all other statuses of a class, and one for the rest.
 *
 * @module
 */

export type StatusRange = '2XX' | '5XX' | 'default'

/** The range of a status that has no entry of its own. */
export function rangeOf(status: number): StatusRange {
  if (status >= 200 && status < 300) return '2XX'
  return status >= 500 ? '5XX' : 'default'
}

/** Whether a rejection is about the body, or the parameters: another request might be accepted. */
export function isAboutBody(status: number): boolean {
  return status === 400 || status === 422
}

/** Whether a rejection is about who sends the request: another client might be accepted. */
export function isAboutPermission(status: number): boolean {
  return status === 401 || status === 403
}

/** Whether a status, or each of a range, is a success. */
export function isSuccess(status: number | StatusRange): boolean {
  return (typeof status === 'number' ? rangeOf(status) : status) === '2XX'
}
