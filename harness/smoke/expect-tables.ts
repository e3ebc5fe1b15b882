/**
 * Whether there is anything to judge: a server on which nothing is found would escape each check for this one reason.
 *
 * @module
 */

import { isAboutPermission } from '../../spec/status-range.ts'
import { ConfigurationError } from '../errors.ts'
import { superuserPlaces } from '../session/actors.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'

/**
 * Where only the address is known, and nothing was found there.
 *
 * @param first response to a list, as a guest gets it
 * @throws ConfigurationError with the next step
 */
export function expectTables({ target, actors }: Wire, first: ApiResponse): void {
  const { explored } = target
  if (explored === undefined) return
  // Guests may be able to sign up in a table that they cannot list.
  if (explored.members.length > 0) return
  const { prefix } = makePaths(target.binding)
  const under = prefix === '' ? 'without a prefix' : `under ${prefix}`
  if (actors.knows('superuser')) {
    // A superuser may use what is closed to guests.
    if (explored.closed.length > 0 || explored.plain.length > 0 || mayHaveNoLists(first)) return
    throw new ConfigurationError(
      `no table was found ${under}: guests get status ${first.status} for usual names of tables, and the superuser finds no table either`,
      target.baseUrl,
      `name your tables with --table NAME, use --prefix PATH if the paths begin with something else, or correct ${superuserPlaces}`,
    )
  }
  if (isAboutPermission(first.status))
    throw new ConfigurationError(
      `no table was found ${under}: guests get status ${first.status} everywhere`,
      target.baseUrl,
      "set CONFORMANCE_SUPERUSER_TOKEN, use --header 'NAME:$VARIABLE' if a gateway in front of the server requires a credential, or name your tables in a target file",
    )
  if (explored.closed.length > 0)
    throw new ConfigurationError(
      `no table was found ${under} that guests may use: ${explored.closed.map(({ name }) => name).join(', ')} rejects them`,
      target.baseUrl,
      'set CONFORMANCE_SUPERUSER_TOKEN, or name your tables with --table NAME',
    )
  if (first.status === 404)
    throw new ConfigurationError(
      `no table was found ${under}, or under other usual prefixes: usual names of tables return 404`,
      target.baseUrl,
      'check the address, use --prefix PATH if the paths begin with something else, or name your tables with --table NAME. If guests may not see that the tables exist, set CONFORMANCE_SUPERUSER_TOKEN',
    )
  if (!mayHaveNoLists(first))
    throw new ConfigurationError(
      `no table was found ${under}: usual names of tables return ${first.status}`,
      target.baseUrl,
      "check the address, use --header 'NAME:$VARIABLE' if the server or a gateway in front of it expects another header, or name your tables with --table NAME",
    )
}

/** A rate limit says nothing about the tables, and a server without lists may have other operations. */
function mayHaveNoLists({ status }: ApiResponse): boolean {
  return status < 400 || status >= 500 || status === 429 || status === 405
}
