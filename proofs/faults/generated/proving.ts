/**
 * How checks are run against the healthy reference and against breaches: in this process, without sockets, with few
 * examples of each property.
 *
 * @module
 */

import type { SessionParts } from '../../../harness/session.ts'
import { referenceHooks } from '../../../harness/target/embedded.ts'
import type { SessionOptions } from '../../../harness/vocabulary/options.ts'
import type { Target } from '../../../harness/vocabulary/target.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import { exchangeInProcess } from '../matrix/exchange-in-process.ts'
import type { FaultyServer } from '../matrix/faulty-server.ts'

export interface Proving {
  target: Target
  parts: SessionParts
}

/** Milliseconds. Emails come in a few, and nothing is learned by waiting longer for one that does not come. */
const impatient = { quiet: 20, patience: 400 }

/** The same for the recording and for the breaches: what is recorded is what a breach meets. */
export function settings(seed: number): SessionOptions & { seed: number } {
  return { seed, quick: true, runs: 0.2, checkTimeout: 20_000 }
}

/** Records are deleted behind the breach: the clean-up would take as many requests as the checks themselves. */
export function provingFor(server: FaultyServer): Proving {
  const { deleteRecords } = referenceHooks(() => server.reference)
  const { target } = server
  return {
    target: {
      ...target,
      mail: { ...target.mail, ...impatient },
      hooks: { ...target.hooks, ...(deleteRecords && { deleteRecords }) },
    },
    parts: {
      requirements: loadRequirements(),
      exchange: exchangeInProcess(server.fetch),
    },
  }
}
