/**
 * One run against one target, as types: how it speaks, what it made, its clock, and whether it goes on.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import type { CleanupRegistry } from '../cleanup/cleanup-registry.ts'
import type { TargetLostError } from '../errors.ts'
import type { Ownership } from '../ownership/ownership.ts'
import type { SharedRows } from '../wire/run-coverage.ts'
import type { Smoke } from './findings.ts'
import type { SessionOptions } from './options.ts'
import type { Wire } from './wire.ts'

/** What one check made and others use. */
export interface Shared {
  made: Promise<unknown>
  /** What was sent for it. */
  exchanges: readonly Exchange[]
  /** The same in the coverage. */
  covered: SharedRows
}

/** What a run made, and how it knows its own. */
export interface CleanUp {
  readonly cleanup: CleanupRegistry
  /** Whose records are. */
  readonly ownership: Ownership
  /** Makes the marks of records to which a check gives none, by check. */
  readonly ownMarks: Map<string, (prefix?: string) => string>
  /** What checks of this run share, by name. */
  readonly shared: Map<string, Shared>
  /** Letters of the checks of this run: what they call unique holds them. */
  readonly scopes: Set<string>
}

/** What a run knows of the time on its target. */
export interface SessionClock {
  /** Milliseconds in which the last mails came, the youngest first. */
  readonly mailTimes: number[]
  /** Seconds by which the target's clock was moved since superusers signed in. */
  passed: number
  /** The same, since the run began. */
  moved: number
}

/** Whether the run goes on, and the target lives. */
export interface Course {
  /**
   * No more requests are sent once it is aborted, and none waits any more until it may be sent; but those under way are
   * waited for: what they create is known.
   */
  signal: AbortSignal | undefined
  /** Id of the check that is under way, or was the last. */
  check: string | undefined
  /** Does work that `settled` waits for. */
  pending<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>
  /** Whether the target still responds at all, by `harness/target/probe.ts`. */
  alive(): Promise<boolean>
  /** Whether the target was found dead, be it alive again by now: nothing that it answers since is judged. */
  readonly died: boolean
  /** Requests that got no answer of a target that was lost, in the order in which they were given up. */
  readonly losses: TargetLostError[]
  /** Has a target that died started again, once; false where that cannot be done. */
  revive(): Promise<boolean>
  close(): Promise<void>
}

export interface Session extends Wire, CleanUp, SessionClock, Course {
  readonly options: SessionOptions
  readonly requirements: ReadonlyMap<string, Requirement>
  /** Filled by the smoke check. */
  smoke: Smoke
  /** Roles of auth tables that send guests away, and how: profile requirements of them are not judged. */
  readonly closed: Map<string, string>
  /** Sends guests' requests to these tables, by name, and their batches: where an exploration found them closed to guests. */
  standIn: { token: string; tables: ReadonlySet<string> } | undefined
}
