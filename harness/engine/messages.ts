/**
 * What travels between the process that starts a run and the vitest workers that do it. All of it is plain data.
 *
 * @module
 */

// Makes the interfaces below known to the compiler when nothing else of a build does.
import type {} from 'vitest'
import type { SentKind } from '../ledger/ledger.ts'
import type { SessionOptions } from '../session.ts'
import type { PlannedCheck } from '../suites.ts'
import type { Finding, Leftover, RunError, SeenBeside, Smoke, Unlisted } from '../vocabulary/findings.ts'
import type { Target } from '../vocabulary/target.ts'
import type { ConnectionCounts } from '../wire/connection-log.ts'

/** From the process to the worker, by `provide`. */
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

/** What the workers get: an order for each, and the name of the broadcast channel on which any message means "stop". */
export interface WorkerOrders {
  orders: readonly RunOrder[]
  stopChannel: string
}

/** From a worker to the process, in the meta of a task. */
export interface TaskNews {
  /** Which of the orders. */
  order: number
  smoke?: Smoke
  finding?: Finding
  error?: RunError
  /** A ConfigurationError, taken apart. */
  configuration?: { fact: string; place: string; next: string }
  ended?: 'lost' | 'configuration' | 'stopped' | 'bail'
  /** Findings that the whole traffic of the worker changes, at the end. */
  late?: Finding[]
  beside?: SeenBeside[]
  leftovers?: Leftover[]
  /** Records that were left alone, since they are not this worker's. */
  foreign?: readonly Leftover[]
  /** Tables that were not listed to their end. */
  unlisted?: readonly Unlisted[]
  /** Connections that broke. Absent: none. */
  connections?: ConnectionCounts
  /** Requests by what they could do. */
  sent?: Record<SentKind, number>
  /** Requests of the worker so far. */
  requests: number
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: string
  }
  interface TaskMeta {
    conformance?: TaskNews
  }
}
