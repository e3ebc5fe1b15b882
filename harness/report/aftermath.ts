/**
 * What every report says of a run apart from its findings: connections that broke, tables that were not listed to their
 * end, and records that remain.
 *
 * @module
 */

import type { RunReport, Unlisted } from '../vocabulary/findings.ts'
import { connectionsLine } from '../wire/connection-log.ts'

/** One sentence each. Empty where all connections held, all tables were listed and nothing remains. */
export function aftermath({ connections, unlisted = [], leftovers }: RunReport): string[] {
  const remaining = leftovers.length
  return [
    ...(connections === undefined ? [] : [connectionsLine(connections)]),
    ...(unlisted.length === 0 ? [] : [unlistedLine(unlisted)]),
    ...(remaining === 0
      ? []
      : [
          `${remaining} ${remaining === 1 ? 'record remains' : 'records remain'} on the target; the next run from this machine against this address tries to delete those whose ids are known`,
        ]),
  ]
}

function unlistedLine(unlisted: readonly Unlisted[]): string {
  const tables = unlisted.map(({ table, reason }) => `${table} (${reason})`).join(', ')
  return `No list showed every record of ${tables}: there the run recognized its records by their content`
}
