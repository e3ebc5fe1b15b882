/**
 * The context of a check, as types.
 *
 * @module
 */

import type { Arbitrary } from 'fast-check'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Binding, OperationId } from '../../spec/vocabulary.ts'
import type { Api, ApiResponse, Body, Query, WireRecord } from './api.ts'
import type { Violation } from './finding.ts'
import type {
  ApiKey,
  ConfirmationKind,
  KeyScope,
  ProofKind,
  ProviderAccount,
  QueryPart,
  ReceivedEmail,
  TableRef,
} from './target.ts'

export interface PropertyOptions<T extends unknown[] = unknown[]> {
  /** Number of examples. Default 25, scaled by `--runs`. */
  runs?: number
  /** The first examples, for values that are rarely generated: large ones. */
  examples?: readonly T[]
  /**
   * Milliseconds for all examples together, shrinking included. If they run out, the property reports how many examples
   * ran; with fewer than five it is `untestable`. Default 30,000.
   */
  timeLimit?: number
}

/** The results of all exchanges with the target so far, for requirements about every exchange. */
export interface Traffic {
  /** Number of responses that were validated. */
  readonly judged: number
  /** The first few violations of a requirement. */
  violations(requirement: string): readonly Violation[]
  /** The requirements that at least one exchange violates. */
  broken(): readonly string[]
  /** The violations of one exchange. */
  about(exchange: Exchange): readonly Violation[]
}

/** The context of a check. */
export interface CheckContext {
  /** The requirement that is checked. */
  readonly id: string
  readonly traffic: Traffic
  /** Replays the commands of a model-based property: `fc.commands(all, { replayPath })`. Set in a replay only. */
  readonly replayPath: string | undefined
  /** As guest. */
  api: Api
  /** The table in a role; the check does not run if the target has none (declare it in the requirement's `needs`). */
  table(role: string): TableRef
  /**
   * Call it before sending concurrent requests, if the check is only about concurrency.
   *
   * @throws UntestableError if the tester's options serialize requests
   */
  needsAtOnce(): void
  /** Whether the target has a table in the role, for checks that use it if it exists. */
  hasTable(role: string): boolean
  /** A string that no other check, run or worker uses: `unique('title')` → `title-k3x9…`. Deterministic by seed. */
  unique(prefix?: string): string
  /** Creates a record and expects success, as the most privileged actor of the target (superuser, otherwise guest). */
  make(table: TableRef, body?: Body, query?: Query): Promise<WireRecord>
  /**
   * The record of a successful create, for any response: the response is unspecified, so without an id the record is
   * searched by its text.
   *
   * @param by a client that may see it. @default the most privileged actor
   */
  created(table: TableRef, response: ApiResponse, by?: Api): Promise<WireRecord>
  /** `count` records one after the other. */
  makeMany(table: TableRef, bodies: readonly Body[]): Promise<WireRecord[]>
  /**
   * Expects a rejection and its precondition: `control` must succeed, then `attempt` must not. A control that fails
   * makes the check `blocked`, not `fail`. A 4xx status, `status` and `code` are required for basis `profile` only.
   */
  rejects(rejection: {
    control: () => Promise<ApiResponse>
    attempt: () => Promise<ApiResponse>
    status?: number | readonly number[]
    /** Codes expected in `data`, by dotted path: `{ title: 'validation_required' }`. */
    data?: Record<string, string>
  }): Promise<ApiResponse>
  /**
   * A fast-check property: the seed is the run's; a counterexample is shrunk and becomes the finding, with exactly the
   * requests of its last run. The predicate expects with `expect*`; what it creates is deleted after each example.
   */
  property<T extends unknown[]>(
    arbitraries: { [K in keyof T]: Arbitrary<T[K]> },
    predicate: (...values: T) => Promise<void>,
    options?: PropertyOptions<NoInfer<T>>,
  ): Promise<void>
  /** Emails from the target (hook `mailbox`). */
  readonly mail: {
    /** Number of emails so far: read it before the request that causes one. */
    count(): Promise<number>
    /**
     * The first email to the recipient after the first `after` emails.
     *
     * @param query.owner address of the account, if the email goes to another one. @default `to`
     * @throws ExpectationError if none arrives in time
     * @throws UntestableError if none arrives, but the check has already got an email, or the account one with a proof,
     *   for example at its sign-up: a server may limit how many it sends
     */
    waitFor(query: { to: string; after?: number; owner?: string }): Promise<ReceivedEmail>
    /**
     * The next email that is like one whose proof the target has accepted. Undefined if none comes within a short time:
     * the document does not say how often a server sends emails.
     */
    another(query: { to: string; after: number; kind: ProofKind }): Promise<ReceivedEmail | undefined>
    /** Whether no such email arrives within a short time. */
    silent(query: { to: string; after?: number }): Promise<boolean>
    /** The one-time code in an email. @throws ExpectationError if there is none */
    code(mail: ReceivedEmail, length?: number): string
    /** The token in the link of an email. @throws ExpectationError if there is none */
    token(mail: ReceivedEmail, kind: ConfirmationKind): string
    /** Whether the recognized proof may be the wrong word: the target has not accepted one like it so far. */
    isAmbiguous(mail: ReceivedEmail, kind: ProofKind): boolean
  }
  /** The identity provider (hook `provider`). */
  readonly provider: {
    /** What the target calls it, if the target file says so. */
    readonly name: string | undefined
    /**
     * Signs in at the provider like a browser, and returns the parameters of the redirect. `wrong` selects a
     * misbehavior.
     *
     * @throws ExpectationError if `authURL` is not the provider's: no other address is requested
     */
    authorize(request: {
      authURL: string
      redirectURL: string
      account: ProviderAccount
      wrong?: string
    }): Promise<{ code: string; state: string; error: string }>
  }
  /** Passes time: moves the target's clock ahead if it has one (hook `clock`); otherwise waits. */
  readonly clock: {
    readonly offered: boolean
    /** Seconds by which the target's clock was moved ahead in this run: a Date header does not include them. */
    readonly moved: number
    /** The target's time in milliseconds since 1970, if the hook returns it. Another run may also have moved it. */
    now(): Promise<number | undefined>
    pass(seconds: number): Promise<void>
  }
  /** Project API keys: created by the hook `createApiKey`, or from the target file. */
  readonly apiKeys: { make(scope: KeyScope): Promise<ApiKey>; revoke(key: ApiKey): Promise<void> }
  /**
   * Created by the first check that needs it, and shared with all others on this target. Its records are kept until the end of the run.
   */
  once<T>(key: string, make: () => Promise<T>): Promise<T>
  /** A description of how the target rejects every request, even those of a superuser; undefined if it does not. */
  readonly rejectsAll: string | undefined
  /** Whether the target has a credential for an actor. */
  knows(actor: string): boolean
  /** The Authorization value of an actor, for checks that alter it; undefined for a guest. */
  tokenOf(actor: string): Promise<string | undefined>
  /** Replaces an actor's token, after a refresh has invalidated the previous one. */
  goOn(actor: string, token: string): void
  /** False if the target file declares the operation absent. A check that sends it anyway is `untestable`. */
  mayExist(operation: OperationId): boolean
  /** Whether the target has a capability (claimed, or found by the smoke check). */
  has(capability: string): boolean
  readonly binding: Binding
  /** Parts of a query whose syntax is unknown: none of the common forms had an effect. */
  readonly unknownForms: readonly QueryPart[]
  /** Whether the target claims a profile: what that says is not left open. */
  readonly claimsProfile: boolean
  readonly seed: number
  /** Aborted by Ctrl-C and by the check's time limit. */
  readonly signal: AbortSignal
}

export type CheckBody = (context: CheckContext) => Promise<void>
