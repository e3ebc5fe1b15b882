/**
 * What happens during a run, as types. Its options are in `harness/generated/run-options.ts`.
 *
 * @module
 */

import type { Finding, Smoke } from './findings.ts'

/** One thing that happens during a run, in order: the start, the smoke check, each finding. */
export type RunEvent =
  | {
      kind: 'start'
      name: string
      version: string
      target: string
      baseUrl: string
      seed: number
      checks: number
    }
  | { kind: 'smoke'; smoke: Smoke }
  | { kind: 'finding'; finding: Finding; done: number; total: number }
