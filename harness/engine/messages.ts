/**
 * Messages between the process that starts a run and its workers. All of them are plain data.
 *
 * @module
 */

import type { RowsByOperation } from '../../validate/coverage/seen-rows.ts'
import type { PlannedCheck } from '../planning/suites.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Leftover, OtherViolation, RunError, Smoke, Unlisted } from '../vocabulary/report.ts'
import type { Target } from '../vocabulary/target.ts'
import type { ConnectionCounts } from '../wire/connection-log.ts'
import type { SentKind } from '../wire/request-count.ts'
import type { RateLimitCounts } from '../wire/transport.ts'

/** What a worker has to do. */
export interface Assignment {
  target: Target
  /** In this order, each after those that it depends on. */
  checks: readonly PlannedCheck[]
  /** Requirements whose checks are in another assignment. @default none */
  elsewhere?: readonly string[]
  session: SessionOptions
  bail: boolean
  path?: string
  /** Whether checks may be under way at the same time, each in a session of its own. @default false */
  concurrent?: boolean
}

/**
 * Messages to a worker. The first is its assignment, unless its thread was started with it. "stop": end the assignment
 * after the request that is under way, and clean up. "close", after the last message of the assignment: end the thread,
 * with the server in it. A thread without a server only gets "stop".
 */
export type ToWorker = { assignment: Assignment } | 'stop' | 'close'

/** Messages of a worker after each check. */
export interface News {
  /** Requests of the worker so far. */
  requests: number
  smoke?: Smoke
  finding?: Finding
  error?: RunError
  /** The parts of a ConfigurationError. */
  configuration?: { fact: string; place: string; next: string }
  ended?: 'lost' | 'configuration' | 'stopped' | 'bail'
  /** When all checks of the assignment are done. */
  end?: AssignmentEnd
  /** The last message of a worker, even if its assignment failed. */
  over?: true
}

/** Results that are known only at the end of an assignment. */
export interface AssignmentEnd {
  /** Findings that the complete traffic of the worker changes. */
  late: Finding[]
  otherViolations: OtherViolation[]
  leftovers: readonly Leftover[]
  /** Records that were left alone because they are not this worker's. */
  foreign: readonly Leftover[]
  /** Tables that were not listed completely. */
  unlisted: readonly Unlisted[]
  /** Why the journal is incomplete. Absent: it is complete. */
  journalError?: string | undefined
  /** Connections that broke. Absent: none. */
  connections?: ConnectionCounts
  /** What the rate limits of the target cost. Absent: nothing. */
  rateLimit?: RateLimitCounts
  /** What the checks of the assignment have sent and seen. */
  coverage: RowsByOperation
  /** Requests by effect. */
  sent: Record<SentKind, number>
}
