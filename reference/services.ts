/**
 * What every operation of one reference is given: its state, its time and chance, its settings.
 *
 * @module
 */

import type { FindApiKey } from './auth/caller.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Store } from './store/store.ts'
import type { Caller, Environment, RequestInfo } from './vocabulary.ts'

export interface BatchSettings {
  enabled: boolean
  maxRequests: number
  /** Bytes. */
  maxBodySize: number
  /** Seconds. */
  timeout: number
}

export interface Services {
  readonly environment: Environment
  readonly store: Store
  readonly tokens: Tokens
  readonly findApiKey: FindApiKey
  /** Path in front of every route, for example `/api/v1`. */
  readonly prefix: string
  readonly batch: BatchSettings
  log(error: unknown): void
}

/** One request to one operation, whichever way it came: over HTTP or as an entry of a batch. */
export interface Ask {
  readonly services: Services
  readonly context: RequestInfo['context']
  readonly method: string
  /** Path segment: name or id of a table. */
  readonly table: string
  /** Path segment of a record; empty where the path has none. */
  readonly id: string
  /** First value of each query parameter. */
  readonly query: Readonly<Record<string, string>>
  /** First value of each header, names in snake_case. */
  readonly headers: Readonly<Record<string, string>>
  readonly caller: Caller
}
