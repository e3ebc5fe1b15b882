/**
 * Which responses to a view say that the record does not exist. The document says nothing about them.
 *
 * @module
 */

import type { ApiResponse } from '../vocabulary/api.ts'

/** Whether the response alone says that the record does not exist. */
export function saysGone(response: Pick<ApiResponse, 'status'> | undefined): boolean {
  return response?.status === 404 || response?.status === 410
}

/** Whether a status is about the record: a redirect, a 401 or a 5xx may come from a proxy in front of the server. */
export function tellsMissing(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 401
}

/** Whether the operation itself is not available, which says nothing about the record. */
export function isUnavailable({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status === 405 || status === 501
}

/** Whether a busy server responds like this for every record. */
export function asksToWait({ status, ok }: ApiResponse): boolean {
  return ok || status === 429 || status === 503
}
