/**
 * What a check is given, as types.
 *
 * @module
 */

import type { Arbitrary } from 'fast-check'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { Api, Body, Query, Reply, WireRecord } from './api.ts'
import type { Violation } from './findings.ts'
import type { ApiKey, KeyScope, ProviderAccount, ReceivedMail, TableRef } from './target.ts'

export interface PropertyOptions<T extends unknown[] = unknown[]> {
  /** Examples. Default 25, scaled by `--runs`. */
  runs?: number
  /** The first of them, for what random ones seldom are: large. */
  examples?: readonly T[]
  /**
   * Milliseconds for all examples together; the time spent on shrinking is bounded by it as well. A property that it
   * ends reports how many examples ran, and with fewer than five it is `untestable`. Default 30,000.
   */
  timeLimit?: number
}

/** All exchanges with the target so far, as far as they matter to requirements about every exchange. */
export interface Traffic {
  /** Responses that the validator has judged. */
  readonly judged: number
  /** What breaks a requirement. The first few only. */
  violations(requirement: string): readonly Violation[]
  /** The requirements that at least one exchange breaks. */
  broken(): readonly string[]
  /** What one exchange breaks. */
  about(exchange: Exchange): readonly Violation[]
}

/** What a check is given. */
export interface CheckContext {
  /** The requirement that is checked. */
  readonly id: string
  readonly traffic: Traffic
  /** Replays the commands of a model-based property: `fc.commands(all, { replayPath })`. Absent but in a replay. */
  readonly replayPath: string | undefined
  /** As guest. */
  api: Api
  /** The table in a role; the check is not run when the target has none (declare it in the requirement's `needs`). */
  table(role: string): TableRef
  /**
   * To be asked before requests are sent at the same time, where the check is about nothing else.
   *
   * @throws UntestableError where the tester has them sent one after the other
   */
  needsAtOnce(): void
  /** Whether the target has a table in the role, for checks that use it where it is there. */
  hasTable(role: string): boolean
  /** Text that no other check, run or worker uses: `unique('title')` → `title-k3x9…`. Deterministic by seed. */
  unique(prefix?: string): string
  /** Creates a record and expects success, by the most able actor the target gave (superuser, else guest). */
  make(table: TableRef, body?: Body, query?: Query): Promise<WireRecord>
  /**
   * The record that a successful create made, whatever its response says: what it answers is left open, so that it is
   * searched by its text where no id is named.
   */
  created(table: TableRef, reply: Reply): Promise<WireRecord>
  /** `count` records one after the other. */
  makeMany(table: TableRef, bodies: readonly Body[]): Promise<WireRecord[]>
  /**
   * A refusal with its positive control: `control` must succeed, then `attempt` must not. A control that fails makes
   * the check `blocked`, not `fail`. That the refusal is a 4xx, `status` and `code` are asked for basis `profile` only.
   */
  rejects(refusal: {
    control: () => Promise<Reply>
    attempt: () => Promise<Reply>
    status?: number | readonly number[]
    /** Codes expected in `data`, by dotted path: `{ title: 'validation_required' }`. */
    data?: Record<string, string>
  }): Promise<Reply>
  /**
   * A fast-check property: the seed is the run's, a counterexample is shrunk and becomes the finding together with
   * exactly the requests of its last run. The predicate expects with `expect*`; what it creates is deleted after each example.
   */
  property<T extends unknown[]>(
    arbitraries: { [K in keyof T]: Arbitrary<T[K]> },
    predicate: (...values: T) => Promise<void>,
    options?: PropertyOptions<NoInfer<T>>,
  ): Promise<void>
  /** Mails that the target sent (hook `mailbox`). */
  readonly mail: {
    /** Mails so far: take it before the request that causes one. */
    count(): Promise<number>
    /** The first mail to somebody after a number. @throws ExpectationError when none arrives in time */
    waitFor(query: { to: string; after?: number }): Promise<ReceivedMail>
    /** Whether no mail to somebody comes within a short while. */
    silent(query: { to: string; after?: number }): Promise<boolean>
    /** The one-time code in a mail. @throws ExpectationError when there is none */
    code(mail: ReceivedMail, length?: number): string
    /** The token in the link of a mail. @throws ExpectationError when there is none */
    token(mail: ReceivedMail, kind: 'verification' | 'password-reset' | 'email-change'): string
  }
  /** The identity provider (hook `provider`). */
  readonly provider: {
    /**
     * Goes to the provider like a browser and comes back with what the redirect carries. `wrong` names a misbehaviour.
     *
     * @throws ExpectationError when `authURL` is not the provider's: nothing is requested at any other address
     */
    authorize(request: {
      authURL: string
      redirectURL: string
      account: ProviderAccount
      wrong?: string
    }): Promise<{ code: string; state: string; error: string }>
  }
  /** Time: the target's clock moved ahead where it offers one (hook `clock`), waited for where not. */
  readonly clock: {
    readonly offered: boolean
    /** Seconds by which the target's clock was moved ahead in this run: a Date header does not know of them. */
    readonly moved: number
    /** The target's time in milliseconds since 1970, where the hook tells it. Another run may have moved it, too. */
    now(): Promise<number | undefined>
    pass(seconds: number): Promise<void>
  }
  /** Project API keys: made by the hook `createApiKey`, or given in the target file. */
  readonly apiKeys: { make(scope: KeyScope): Promise<ApiKey>; revoke(key: ApiKey): Promise<void> }
  /** Made by the first check that asks, the same for all others that meet this target. What it created lasts as long. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>
  /** Whether the target gives a credential for an actor. */
  knows(actor: string): boolean
  /** Whether the target has a capability (claimed, or found by the smoke check). */
  has(capability: string): boolean
  readonly binding: Binding
  readonly seed: number
  /** Aborts on Ctrl-C and on the check's time limit. */
  readonly signal: AbortSignal
}

export type CheckBody = (context: CheckContext) => Promise<void>
