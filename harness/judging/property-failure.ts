/**
 * A counterexample of a property, on its way from `property` to the finding.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { ExpectationError } from './expect.ts'

/** Facts about a counterexample. */
interface Counterexample {
  /** The exchanges of the check outside its properties, then the exchanges of the failing run. */
  exchanges: Exchange[]
  /** Total number of exchanges; only a limited number is kept. */
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
