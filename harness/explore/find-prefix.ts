/**
 * Where the paths of the interface begin on a server: the document says `/api/v1`, and many servers have another prefix.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { documentPrefix } from '../../spec/prefix.ts'
import { isAboutPermission } from '../../spec/status-range.ts'
import { NO_TABLE } from '../support/no-record.ts'
import { pageOf } from './page-of.ts'
import type { ExploredResponse, SendRequest } from './send-request.ts'

/** That of the document comes first. */
export const usualPrefixes = [documentPrefix, '/api', '', '/v1', '/api/v2', '/rest']

/**
 * @param names tables to request, in groups: each prefix is tried with the first group before the next one is
 * @returns the prefix below which a table responds; without one the likeliest
 */
export async function findPrefix(
  sendRequest: SendRequest,
  groups: readonly (readonly string[])[],
): Promise<string> {
  let guess: string | undefined
  let hiding: string | undefined
  for (const names of groups) {
    for (const prefix of usualPrefixes) {
      const requested = [NO_TABLE, `${NO_TABLE}_2`, ...names]
      const path = (name: string) => `${prefix}/collections/${encodeURIComponent(name)}/records`
      const [nowhere, again, ...responses] = await Promise.all(
        requested.map((name) => sendRequest(path(name))),
      )
      if (responses.some((response) => pageOf(response) !== undefined)) return prefix
      // A table that is closed to guests is rejected in another way than one that does not exist.
      const closed = responses.some(({ status }) => isAboutPermission(status))
      if (closed && nowhere?.status === 404) return prefix
      if (closed) guess ??= prefix
      // One that is hidden may be, too, in its words.
      const isOther = (response: ExploredResponse | undefined) => response?.text !== nowhere?.text
      if (!isOther(again) && responses.some(isOther)) hiding ??= prefix
    }
  }
  return guess ?? hiding ?? (await withHealth(sendRequest)) ?? documentPrefix
}

/** Where a server with no table that we know says how it is. */
async function withHealth(sendRequest: SendRequest): Promise<string | undefined> {
  const responses = await Promise.all(usualPrefixes.map((prefix) => sendRequest(`${prefix}/health`)))
  return usualPrefixes.find((_, at) => responses[at]?.status === 200 && isObject(responses[at].body))
}
