/**
 * Recognizes the response of a path at which there is nothing, so that an operation that was not written yet is not taken for
 * one that is closed.
 *
 * @module
 */

import { mediaType } from '../../exchange/media-type.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { NO_ACTION } from './missing-operations.ts'
import { likeness } from './same-for-all.ts'
import { requestSenderOf } from './send-request.ts'

/**
 * Whether the server responds to a request for records as it does to any path that it does not know: the operation does not
 * exist, or is hidden in the same way. 405 and 501 say themselves that there is none.
 *
 * @param response to a request for `records`, or for one of them
 */
export async function isNowhere(
  session: Wire & CleanUp & Pick<TargetFacts, 'standIns'>,
  table: TableRef,
  { status, text, headers, exchange: { request } }: ApiResponse,
): Promise<boolean> {
  if (status === 405 || status === 501) return true
  if (status !== 404) return false
  const { method } = request
  const hasId = method !== 'POST'
  const path = makePaths(session.target.binding).auth(table, hasId ? `${NO_ACTION}/1` : NO_ACTION)
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
  const token = session.standIns.get(table.name)
  const nowhere = await requestSenderOf(session)(path, { method, token, ...body })
  const type = mediaType(headers['content-type'])
  return likeness({ status, text, type, body: undefined }) === likeness(nowhere)
}
