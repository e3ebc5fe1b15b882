/**
 * Whether there is anything to judge: a server that sends the same to everything, or on which nothing is found, would
 * fail or escape each check for this one reason.
 *
 * @module
 */

import { ConfigurationError } from './errors.ts'
import { asker } from './explore/ask.ts'
import { expectDifferences } from './explore/same-for-all.ts'
import type { Reply } from './vocabulary/api.ts'
import type { Session } from './vocabulary/session.ts'
import { makePaths } from './wire/paths.ts'
import { createTransport } from './wire/transport.ts'

/**
 * With a target file, too. An address alone was explored before.
 *
 * @throws ConfigurationError as `expectDifferences`
 */
export async function expectDifferentResponses({
  target,
  options,
  ownHeaders: headers,
}: Session): Promise<void> {
  if (target.explored !== undefined) return
  const { timeout, rate, concurrency } = options
  const transport = createTransport(target.baseUrl, { headers, timeout, rate, concurrency })
  try {
    const ask = asker(transport, target.baseUrl, timeout)
    const names = Object.values(target.tables).map(({ name }) => name)
    await expectDifferences(ask, target.baseUrl, [makePaths(target.binding).prefix], names)
  } finally {
    await transport.close()
  }
}

/**
 * Where only the address is known, and nothing was found there.
 *
 * @param first response to a list, as a guest gets it
 * @throws ConfigurationError with the next step
 */
export function expectTables({ target, actors }: Session, first: Reply): void {
  if (target.explored === undefined || actors.knows('superuser')) return
  const { prefix } = makePaths(target.binding)
  const under = prefix === '' ? 'without a prefix' : `under ${prefix}`
  if (first.status === 401 || first.status === 403)
    throw new ConfigurationError(
      `no table was found ${under}: guests get status ${first.status} everywhere`,
      target.baseUrl,
      'set CONFORMANCE_SUPERUSER_TOKEN, use --header NAME:VARIABLE for something before the server, or name your tables in a target file',
    )
  if (first.status === 404)
    throw new ConfigurationError(
      `no table was found ${under}, or under other usual prefixes: usual names of tables return 404`,
      target.baseUrl,
      'check the address, use --prefix PATH if the paths begin with something else, or name your tables: conformance init --base-url URL --table NAME',
    )
}
