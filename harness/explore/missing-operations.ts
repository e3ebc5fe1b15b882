/**
 * Which operations a server has. Each is requested in a way that changes nothing, and so is a path that does not exist.
 *
 * @module
 */

import { operationPaths } from '../../spec/generated/operations.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { NO_RECORD } from '../support/no-record.ts'
import { likeness } from './same-for-all.ts'
import type { ExploredResponse, SendRequest } from './send-request.ts'

/** Nothing has this name. */
export const NO_ACTION = 'conf-no-such-action'

/** Statuses for a path that does not exist. */
export const nothingThere: ReadonlySet<number> = new Set([404, 405, 501])

/**
 * Operations that the server does not seem to have. Operations on records are left out: trying a table shows
 * them.
 *
 * @param members name of an auth table; without one, only `batch` is requested
 */
export async function missingOperations(
  sendRequest: SendRequest,
  prefix: string,
  members: string | undefined,
): Promise<OperationId[]> {
  const auth = operationPaths.filter(({ segments }) => segments[2] !== 'records' && segments.length > 2)
  const tried = operationPaths.filter(
    ({ id }) => id === 'batch' || (members !== undefined && auth.some((each) => each.id === id)),
  )
  const nowhere = new Map<string, Promise<ExploredResponse>>()
  const missing = await Promise.all(
    tried.map(async ({ id, method, segments }) => {
      const path = pathOf(prefix, segments, members)
      const wrong = path.replace(/(batch|[^/]+-[^/]+|impersonate)(?=\/|$)/, NO_ACTION)
      const key = `${method} ${wrong}`
      const nothing = nowhere.get(key) ?? requested(sendRequest, method, wrong)
      nowhere.set(key, nothing)
      const there = await requested(sendRequest, method, path)
      return nothingThere.has(there.status) && likeness(there) === likeness(await nothing) ? [id] : []
    }),
  )
  return missing.flat()
}

/** Without a body, nothing is signed in, sent or confirmed. */
function requested(sendRequest: SendRequest, method: string, path: string): Promise<ExploredResponse> {
  return sendRequest(path, method === 'GET' ? {} : { method, body: {} })
}

function pathOf(prefix: string, segments: readonly string[], table = ''): string {
  const parts = segments.map((segment) =>
    segment === '{table}' ? encodeURIComponent(table) : segment === '{id}' ? NO_RECORD : segment,
  )
  return [prefix, ...parts].join('/')
}
