/**
 * A list response, as an exploration recognizes it.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isSuccess } from '../../spec/status-range.ts'
import type { ExploredResponse } from './send-request.ts'

/** The contents of a page of a list; `undefined` where the response is not a list. */
export function pageOf({
  status,
  body,
}: Pick<ExploredResponse, 'status' | 'body'>): readonly unknown[] | undefined {
  // The document names no status.
  return isSuccess(status) && isObject(body) && Array.isArray(body.items) ? body.items : undefined
}
