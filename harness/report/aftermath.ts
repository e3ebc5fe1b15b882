/**
 * What every report says of a run apart from its findings: connections that broke, and records that remain.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/findings.ts'
import { connectionsLine } from '../wire/connection-log.ts'

/** One sentence each. Empty where all connections held and nothing remains. */
export function aftermath({ connections, leftovers }: RunReport): string[] {
  const remaining = leftovers.length
  return [
    ...(connections === undefined ? [] : [connectionsLine(connections)]),
    ...(remaining === 0
      ? []
      : [
          `${remaining} ${remaining === 1 ? 'record remains' : 'records remain'} on the target; a later run from this machine against this address tries to delete what its journal names by id`,
        ]),
  ]
}
