/**
 * What travels between the process that starts a run and the workers that do it. All of it is plain data.
 *
 * @module
 */

import type { RowsByOperation } from '../../validate/coverage/seen-rows.ts'
import type { SentKind } from '../cleanup/cleanup-registry.ts'
import type { PlannedCheck } from '../suites.ts'
import type { Finding, Leftover, OtherViolation, RunError, Smoke, Unlisted } from '../vocabulary/findings.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Target } from '../vocabulary/target.ts'
import type { ConnectionCounts } from '../wire/connection-log.ts'

/** What a worker gets. Any message to it means "stop". */
export interface RunOrder {
  target: Target
  /** In this order, each after those that it builds on. */
  checks: readonly PlannedCheck[]
  /** Requirements whose checks another order has. @default none */
  elsewhere?: readonly string[]
  session: SessionOptions
  bail: boolean
  path?: string
}

/** What a worker tells, after each check. */
export interface News {
  /** Requests of the worker so far. */
  requests: number
  smoke?: Smoke
  finding?: Finding
  error?: RunError
  /** A ConfigurationError, taken apart. */
  configuration?: { fact: string; place: string; next: string }
  ended?: 'lost' | 'configuration' | 'stopped' | 'bail'
  /** The last that a worker tells, when its order is done. */
  end?: OrderEnd
}

/** What only the end of an order shows. */
export interface OrderEnd {
  /** Findings that the whole traffic of the worker changes. */
  late: Finding[]
  beside: OtherViolation[]
  leftovers: readonly Leftover[]
  /** Records that were left alone, since they are not this worker's. */
  foreign: readonly Leftover[]
  /** Tables that were not listed to their end. */
  unlisted: readonly Unlisted[]
  /** Connections that broke. Absent: none. */
  connections?: ConnectionCounts
  /** What the checks of the order have sent and seen. */
  coverage: RowsByOperation
  /** Requests by what they could do. */
  sent: Record<SentKind, number>
}
