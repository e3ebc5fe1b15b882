/**
 * Statuses that the description does not have by themselves: it says together what holds for all of a class, and for
 * the rest.
 *
 * @module
 */

export type StatusRange = '2XX' | '5XX' | 'default'

/** The range of a status that is not described by itself. */
export function rangeOf(status: number): StatusRange {
  if (status >= 200 && status < 300) return '2XX'
  return status >= 500 ? '5XX' : 'default'
}

/** Whether a status, or each of a range, is a success. */
export function isSuccess(status: number | StatusRange): boolean {
  return (typeof status === 'number' ? rangeOf(status) : status) === '2XX'
}
