/**
 * One run against one target, as types: its clients, its records, its clock, and whether it continues.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import type { AccountCredentials } from '../cleanup/account-credentials.ts'
import type { CleanupRegistry } from '../cleanup/cleanup-registry.ts'
import type { TargetLostError } from '../errors.ts'
import type { Ownership } from '../ownership/ownership.ts'
import type { EmptyBodies } from '../wire/empty-bodies.ts'
import type { SharedRows } from '../wire/run-coverage.ts'
import type { Usernames } from '../wire/usernames.ts'
import type { SessionOptions } from './options.ts'
import type { Smoke } from './report.ts'
import type { Wire } from './wire.ts'

/** Set-up that one check made and others use. */
export interface Shared {
  made: Promise<unknown>
  /** The requests that were sent for it. */
  exchanges: readonly Exchange[]
  /** The same requests in the coverage. */
  covered: SharedRows
}

/** The records of a run, and how it recognizes its own. */
export interface CleanUp {
  readonly cleanup: CleanupRegistry
  /** What signs in the accounts that the run created. */
  readonly accounts: AccountCredentials
  /** Their usernames, where they sign in by nothing else. */
  readonly usernames: Usernames
  /** Decides whose a record is. */
  readonly ownership: Ownership
  /** Creates marks, by check, for records to which the check gives none. */
  readonly addedMarks: Map<string, (prefix?: string) => string>
  /** Set-up that checks of this run share, by name. */
  readonly shared: Map<string, Shared>
  /** Scopes of the checks of this run: their unique strings contain them. */
  readonly scopes: Set<string>
}

/** What a run knows about the time on its target. */
export interface SessionClock {
  /** Milliseconds that the last emails took, the newest first. */
  readonly emailTimes: number[]
  /** Seconds by which the target's clock was moved since the superusers signed in. */
  passed: number
  /** The same, since the run began. */
  moved: number
}

/** Whether the run continues, and the target is alive. */
export interface Course {
  /**
   * Once it is aborted, no more requests are sent, and none waits for its turn. Requests in flight are awaited, so that
   * their records are known.
   */
  signal: AbortSignal | undefined
  /** Id of the current or last check. */
  check: string | undefined
  /** Runs work that `settled` waits for. */
  pending<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is in flight. */
  settled(): Promise<void>
  /** Whether the target still responds at all, by `harness/target/probe.ts`. */
  alive(): Promise<boolean>
  /** Whether the target was lost, even if it has been restarted: later responses are not judged. */
  readonly died: boolean
  /** Requests without a response from a lost target, in the order in which they were abandoned. */
  readonly losses: TargetLostError[]
  /** Restarts a lost target, once; false if that is not possible. */
  revive(): Promise<boolean>
  close(): Promise<void>
}

/** The settings of a run, and the requirements that it checks. */
export interface RunSettings {
  readonly options: SessionOptions
  readonly requirements: ReadonlyMap<string, Requirement>
}

/** A table that rejects guests, or in which a password alone signs no one in, or whose accounts no one can delete. */
export interface ClosedTable {
  /** As in the path. */
  name: string
  /** What was rejected and how: `create with 403`. */
  rejected: string
  /**
   * One of these: a second factor is needed after the password (document, section 4.2); the account must be verified
   * first, and no credential of the run can do that; an account may not delete itself, and no credential of the run can
   * delete it; the table does not report sign-in by password, and rejects it; an account has to send the requests of
   * guests, and none could sign in.
   */
  needs?: 'second factor' | 'verification' | 'deletion' | 'another method' | 'account'
}

/** What a run has found out about its target before the first check. */
export interface TargetFacts {
  /** Filled by the smoke check. */
  smoke: Smoke
  /**
   * A description of how the server rejects every request, even those of a superuser; undefined if it does not. Set by
   * the smoke check. Rejections then say nothing about the server: a gateway may send them.
   */
  rejectsAll: string | undefined
  /**
   * Tables that reject guests although their role is open to guests, by role. The profile of auth tables is not judged.
   */
  readonly closed: Map<string, ClosedTable>
  /** Tokens that guests' requests are sent with, by name of the table: those of `TableRef.as`. */
  readonly standIns: Map<string, string>
  /** Names of the target's tables by the identifier that their records show, once someone stands in for guests. */
  readonly identifiers: Map<string, string>
  /** Operations that need a body even if it is empty. */
  readonly emptyBodies: EmptyBodies
}

/** All of a run. Functions take the parts that they use; test/walls.test.ts lists the files that need all of them. */
export interface Session extends Wire, CleanUp, SessionClock, Course, RunSettings, TargetFacts {}
