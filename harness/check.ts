/**
 * `check(id, body)`: how a suite file states what it tests. Everything general (level, statement, needs, order)
 * comes from `spec/` by id; the file states only what is particular.
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

/** Decides what becomes of the checks that suite files state: the workers of a run, or a matrix. */
export function collectChecks(into: Register): void {
  register = into
}

/** States the check of one requirement. One check a requirement; the id must exist in `spec/`. */
export function check(id: string, body: CheckBody): void {
  register({ id, body })
}
