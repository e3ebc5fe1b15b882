/**
 * Whether there is anything to judge: a server that sends the same to everything, or on which nothing is found, would
 * fail or escape each check for this one reason.
 *
 * @module
 */

import { isAboutPermission } from '../../spec/status-range.ts'
import { ConfigurationError } from '../errors.ts'
import { likeness, sameForAll } from '../explore/same-for-all.ts'
import { requestSenderOf } from '../explore/send-request.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'

/**
 * With a target file, nothing that a server sends ends a run. If it sends the same response to every request, this is
 * reported before the checks, which report each of their failures. A target without a file was explored before, and the
 * embedded reference is known. Most servers get two requests.
 */
export async function sameResponsesNote(session: Wire & RunSettings): Promise<string | undefined> {
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
  return same === undefined ? undefined : `${same.fact}: ${same.next}`
}

/** Whether the server treats these paths differently for an actor that the run knows. */
async function opensTo(session: Wire, actor: string, paths: readonly string[]): Promise<boolean> {
  if (!session.actors.knows(actor)) return false
  const token = await session.actors.token(actor)
  const responses = await Promise.all(paths.map((path) => requestSenderOf(session)(path, { token })))
  return new Set(responses.map(likeness)).size > 1
}

/**
 * Where only the address is known, and nothing was found there.
 *
 * @param first response to a list, as a guest gets it
 * @throws ConfigurationError with the next step
 */
export function expectTables({ target, actors }: Wire, first: ApiResponse): void {
  if (target.explored === undefined || actors.knows('superuser')) return
  const { prefix } = makePaths(target.binding)
  const under = prefix === '' ? 'without a prefix' : `under ${prefix}`
  if (isAboutPermission(first.status))
    throw new ConfigurationError(
      `no table was found ${under}: guests get status ${first.status} everywhere`,
      target.baseUrl,
      "set CONFORMANCE_SUPERUSER_TOKEN, use --header 'NAME:$VARIABLE' if a gateway in front of the server requires a credential, or name your tables in a target file",
    )
  if (first.status === 404)
    throw new ConfigurationError(
      `no table was found ${under}, or under other usual prefixes: usual names of tables return 404`,
      target.baseUrl,
      'check the address, use --prefix PATH if the paths begin with something else, or name your tables: conformance init --base-url URL --table NAME',
    )
  // A rate limit says nothing about the tables, and a server without lists may have other operations.
  if (first.status >= 400 && first.status < 500 && first.status !== 429 && first.status !== 405)
    throw new ConfigurationError(
      `no table was found ${under}: usual names of tables return ${first.status}`,
      target.baseUrl,
      "check the address, use --header 'NAME:$VARIABLE' if the server or a gateway in front of it expects another header, or name your tables: conformance init --base-url URL --table NAME",
    )
}
