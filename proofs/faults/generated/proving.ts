/**
 * How checks are run against the healthy reference and against breaches: in this process, without sockets, with few
 * examples of each property.
 *
 * @module
 */

import type { SessionParts } from '../../../harness/session/create-session.ts'
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

export function provingFor(server: FaultyServer): Proving {
  return {
    target: { ...server.target, mail: { ...server.target.mail, ...impatient } },
    parts: {
      requirements: loadRequirements(),
      exchange: exchangeInProcess(server.fetch),
    },
  }
}
