/**
 * What happens during a run, as types. Its options are in `harness/generated/run-options.ts`.
 *
 * @module
 */

import type { Finding } from './finding.ts'
import type { Smoke } from './report.ts'

/** One thing that happens during a run, in order: the start, the smoke check, each finding, what changed. */
export type RunEvent =
  | {
      /** The run begins. */
      kind: 'start'
      /** Name of the package. */
      name: string
      /** Version of the package. */
      version: string
      /** Name of the target, or its base URL. */
      target: string
      /** The part of the URL before the prefix. */
      baseUrl: string
      /** Seed of all random data. */
      seed: number
      /** Number of checks that were selected. */
      checks: number
    }
  | {
      /** The target responds. */
      kind: 'smoke'
      /** What the smoke check found out about it. */
      smoke: Smoke
    }
  | {
      /** A check has ended. */
      kind: 'finding'
      /** Its finding. */
      finding: Finding
      /** Number of checks that have ended. */
      done: number
      /** Number of checks that were selected. */
      total: number
    }
  | {
      /** The run is over, and the status of some findings is no longer the one that was reported. */
      kind: 'changed'
      /** These findings: a later response violated the requirement, or the target file says that it does not apply. */
      findings: readonly Finding[]
      /** Number of checks that have ended. */
      done: number
      /** Number of checks that were selected. */
      total: number
    }
