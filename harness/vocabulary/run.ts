/**
 * What a run is asked to do, and what it tells while it does it, as types.
 *
 * @module
 */

import type { Level } from '../../spec/vocabulary.ts'
import type { Selection } from '../plan.ts'
import type { Finding, Smoke } from './findings.ts'
import type { TargetOptions } from './target.ts'

/** What happens during a run, for whoever shows it. */
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

export interface RunOptions extends TargetOptions, Selection {
  /** The same seed makes the same requests. @default random */
  seed?: number
  /** Factor on the examples of every property. @default 1 */
  runs?: number
  /** Replays one counterexample; needs `only` with one id, and `seed`. */
  path?: string
  /** Milliseconds for one request. @default 10000 */
  timeout?: number
  /** Most requests in a second. @default as many as the target answers */
  rate?: number
  /** Most requests to a server at the same time. @default 8 */
  concurrency?: number
  /** The run stops after so many requests; what it created is still deleted. */
  maxRequests?: number
  /** The run stops after so many seconds; what it created is still deleted. */
  maxTime?: number
  /** File of known failures: findings that are accepted for now, with their reasons. */
  baseline?: string
  /** Warnings count like failures. */
  strict?: boolean
  /** Stops after the first failure. */
  bail?: boolean
  /** Sent with every request. A value `$NAME` is read from the environment, and shown as that name only. */
  headers?: Record<string, string>
  level?: Level
  /** Stops the run; what it created is deleted. */
  signal?: AbortSignal
  onEvent?: (event: RunEvent) => void
}
