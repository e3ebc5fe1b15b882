/**
 * A counterexample of a property, on its way from `property` to the finding.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { ExpectationError } from './expect.ts'

/** What is known of a counterexample. */
interface Counterexample {
  /** Those of the check outside its properties, then those of the run that shows it. */
  exchanges: Exchange[]
  /** How many there were; no more than a number of them is kept. */
  requests: number
  /** `--path` of the replay: index of the property in its check, fast-check's path, path of the commands. */
  path: string
  example: string
  runs: number
}

export class PropertyFailure extends Error {
  override name = 'PropertyFailure'
  readonly failure: ExpectationError
  readonly counterexample: Counterexample

  constructor(failure: ExpectationError, counterexample: Counterexample) {
    super(failure.message)
    this.failure = failure
    this.counterexample = counterexample
  }
}
