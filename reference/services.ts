/**
 * What every operation of one reference receives: its state, clock, random source and settings.
 *
 * @module
 */

import type { BlockList } from 'node:net'
import type { WritableMailbox } from './auth/mail/mailbox.ts'
import type { MailSender } from './auth/mail/template.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Background } from './environment/background.ts'
import type { Limits } from './limits/limits.ts'
import type { Memory } from './limits/memory.ts'
import type { Work } from './limits/work.ts'
import type { Store } from './store/store.ts'
import type { PretendProviderInternals } from './testing/pretend-provider.ts'
import type { Caller, Environment, FindApiKey, RequestInfo } from './vocabulary.ts'

/** Limits of batch requests. */
export interface BatchSettings {
  /** Whether batch requests are accepted. */
  enabled: boolean
  /** Entries of one batch. */
  maxRequests: number
  /** Bytes. */
  maxBodySize: number
  /** Seconds. */
  timeout: number
}

/** How many requests one client address may send in a period. */
export interface RateLimitRule {
  /** `table:action`, `*:action`, `METHOD /path`, `/path`, or `/path/` for everything below; with the prefix. */
  label: string
  /** Clients that it applies to: all, those without a sign-in, or those with one. @default '' all */
  audience?: '' | '@guest' | '@auth'
  /** Seconds. */
  duration: number
  /** Requests in that time. Further ones get 429. */
  maxRequests: number
}

/** Limits on requests per client address. */
export interface RateLimitSettings {
  /** Whether the rules apply. */
  enabled: boolean
  /**
   * Rules. A request counts towards one rule at most: that with the most specific label, in the order that `label` lists
   * them, among those for its client.
   */
  rules: readonly RateLimitRule[]
  /** Client addresses that are never limited. */
  excludedIPs: readonly string[]
}

/** Limits on repeated requests. 0 switches a limit off. */
export interface ThrottleSettings {
  /** Seconds before another verification or password reset email is sent to the same record. */
  resendSeconds: number
  /** Attempts with one-time codes per record and client address, in `otpAttemptSeconds`. */
  otpAttempts: number
  /** Seconds. */
  otpAttemptSeconds: number
  /** One-time codes of one record that may be open at the same time. */
  openOtps: number
}

export interface Services {
  readonly environment: Environment
  readonly store: Store
  readonly tokens: Tokens
  readonly findApiKey: FindApiKey
  /** Path in front of every route, for example `/api/v1`. */
  readonly prefix: string
  readonly batch: BatchSettings
  readonly mail: WritableMailbox
  readonly sender: MailSender
  readonly background: Background
  readonly memory: Memory
  /** Checked before any real provider. */
  readonly oauth2: PretendProviderInternals
  readonly rateLimits: RateLimitSettings
  readonly throttle: ThrottleSettings
  readonly limits: Limits
  /** Names of the views among the given tables: they are not served. */
  readonly views: readonly string[]
  /** Addresses that superusers may use. Absent: any. */
  readonly superuserIPs: BlockList | undefined
  log(error: unknown): void
}

/** One request to one operation, over HTTP or as an entry of a batch. */
export interface RequestContext {
  readonly services: Services
  readonly c: RequestInfo['context']
  readonly method: string
  /** Path segment: name or id of a table. */
  readonly table: string
  /** Path segment of a record; empty if the path has none. */
  readonly id: string
  /** First value of each query parameter. */
  readonly query: Readonly<Record<string, string>>
  /** First value of each header, names in snake_case. */
  readonly headers: () => Readonly<Record<string, string>>
  readonly caller: Caller
  /** Address of the client. */
  readonly ip: string
  /** Records under `expand` in its response so far. The entries of a batch share one response. */
  readonly expanded: { records: number; readonly most: number }
  /** Its cost so far. The entries of a batch share it. */
  readonly work: Work
}
