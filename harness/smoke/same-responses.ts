/**
 * Whether a server sends the same to everything: it would fail each check for this one reason.
 *
 * @module
 */

import { likeness, type OneResponse, sameForAll } from '../explore/same-for-all.ts'
import { requestSenderOf } from '../explore/send-request.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { CleanUp, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'

/**
 * With a target file, nothing that a server sends ends a run. If it sends the same response to every request, also to those
 * of a superuser whom the run knows, this is reported before the checks, which report each of their failures. A target
 * without a file was explored before, and the embedded reference is known. Most servers get two requests.
 */
export async function sameResponses(session: Wire & CleanUp & RunSettings): Promise<OneResponse | undefined> {
  const { target, options } = session
  if (target.explored !== undefined || options.exclusive === true) return undefined
  const sendRequest = requestSenderOf(session)
  const { prefix } = makePaths(target.binding)
  const names = Object.values(target.tables).map(({ name }) => name)
  const [name = NO_TABLE] = names
  const list = `${prefix}/collections/${encodeURIComponent(name)}/records`
  const [listed, nowhere] = await Promise.all([sendRequest(list), sendRequest(`/${NO_TABLE}`)])
  if (likeness(listed) !== likeness(nowhere)) return undefined
  const same = await sameForAll(sendRequest, [prefix], names)
  if (same?.mayBeClosed === true && (await opensTo(session, 'superuser', [list, `/${NO_TABLE}`])))
    return undefined
  return same
}

/** Whether the server treats these paths differently for an actor that the run knows. */
async function opensTo(session: Wire & CleanUp, actor: string, paths: readonly string[]): Promise<boolean> {
  if (!session.actors.knows(actor)) return false
  const token = await session.actors.token(actor)
  const responses = await Promise.all(paths.map((path) => requestSenderOf(session)(path, { token })))
  return new Set(responses.map(likeness)).size > 1
}
