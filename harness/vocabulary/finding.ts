/**
 * The outcome of one requirement on one target, with its evidence, as types. Read this file first.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Basis, Grade, Level } from '../../spec/vocabulary.ts'
import type { Mismatch } from '../../validate/mismatch.ts'

/**
 * Outcome of one requirement on one target. `fail` is a violated MUST, and `warn` a violated SHOULD. `observed` is for
 * requirements of a profile that the target does not claim. `not-applicable`: the target declares the feature absent.
 * `blocked`: a requirement that the check depends on failed. `untestable`: something is missing on the tester's side.
 */
export type Status = 'pass' | 'fail' | 'warn' | 'observed' | 'not-applicable' | 'blocked' | 'untestable'

/** The shrunk counterexample of a property, and how to replay it. */
export interface Replay {
  /** Seed of the run. */
  seed: number
  /** Path of the example in fast-check. */
  path: string
  /** The command line that repeats exactly this example. */
  command: string
  /** Of a property: how many random examples were run until one failed. */
  runs?: number
  /** Of a property: the smallest example that fails, as fast-check prints it. */
  example?: string
}

/** How many examples of a property were run. */
export interface Examples {
  /** Examples that were run. */
  run: number
  /** Examples that should have been run. */
  of: number
}

/** The outcome of one requirement on one target, with its evidence. */
export interface Finding {
  /** Id of the requirement: `list.total-pages`. */
  requirement: string
  /** What the requirement says. */
  statement: string
  /** How strict the requirement is: a violated MUST fails the run, a violated SHOULD is a warning. */
  level: Level
  /** Where the requirement comes from: the document, or the profile. */
  basis: Basis
  /** Grade of a requirement of the profile. */
  grade?: Grade
  /** The security consequence if the expectation does not hold, in one sentence. */
  security?: string
  /** Section of the document, or the key of the gap. */
  source: string
  /** The outcome. */
  status: Status
  /** Of an `observed` finding: whether the expectation held, so that it would pass if the profile were claimed. */
  held?: boolean
  /** The message, beginning with the fact. Empty for a pass. */
  message: string
  /** The next step: for example, a configuration line that enables the check. */
  hint?: string
  /** The failed requirement that it depends on: nothing was sent. */
  blockedBy?: string
  /** Another requirement that the deciding response violates. If it fails too, the cause is the same. */
  breaks?: string
  /** The check that sent the deciding request, if it is not the finding's own. The replay then runs both. */
  seenIn?: string
  /** The target rejected what it should reject, only with another status or body. Absent: no, or not known. */
  rejected?: boolean
  /** The value or response that was expected, as text. */
  expected?: string
  /** The value or response that was received, as text. */
  received?: string
  /** The exchanges that show it, the deciding one last. Empty for a pass. */
  exchanges: Exchange[]
  /** Number of earlier requests that are omitted, because they are too many or too long. Absent: none. */
  leftOut?: number
  /** Each exchange as a line of a shell script: ids and tokens come from the responses before, secrets are `$VAR`. */
  curl: string[]
  /** The counterexample of a property. Absent if the check is not a property, or passed. */
  replay?: Replay
  /** Why the check, or an example of it, was run again after a broken connection. Absent: it was not. */
  retried?: string
  /** How many examples ran, if the time limit ended the property. Absent: all ran, or one failed. */
  examples?: Examples
  /** Entry of the baseline that lists it. It is reported as known, and does not fail the run. */
  known?: KnownFailure
  /** Requests that the check sent. */
  requests: number
  /** Milliseconds that the check took. */
  ms: number
}

/** Why a failure is in the baseline. */
export interface KnownFailure {
  /** Why it is accepted for now. */
  reason: string
  /** Address of an issue about it. */
  issue?: string
  /** Day after which it fails again: `2026-12-31`. */
  expires?: string
}

/** One violation in one exchange, found by the validator. */
export interface Violation extends Omit<Mismatch, 'path'> {
  exchange: Exchange
  /** The check that sent it; undefined in the smoke check. */
  during: string | undefined
}
