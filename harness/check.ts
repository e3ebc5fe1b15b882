/**
 * `check(id, body)`: how a suite file declares a check. Everything general (level, statement, needs, order) comes from
 * `spec/` by id; the file contains only what is specific.
 *
 * @module
 */

import type { CheckBody } from './vocabulary/check.ts'

export interface Check {
  /** Id of the requirement. */
  id: string
  body: CheckBody
}

type Register = (check: Check) => void

let register: Register = () => {
  throw new Error(
    'A suite file was loaded without an engine: call collectChecks(register) before importing suites.',
  )
}

/** Sets the collector for the checks that suite files declare: the workers of a run, or a matrix. */
export function collectChecks(into: Register): void {
  register = into
}

/** Declares the check of one requirement. There is one check per requirement; the id must exist in `spec/`. */
export function check(id: string, body: CheckBody): void {
  register({ id, body })
}
