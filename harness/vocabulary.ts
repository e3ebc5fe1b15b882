/**
 * The words of the harness, as types: exchange, finding, target, check, report. Read after `spec/vocabulary.ts`.
 *
 * @module
 */

import type { Arbitrary } from 'fast-check'
import type { Basis, Binding, Level, OperationId } from '../spec/vocabulary.ts'

/** Outcome of one requirement on one target. design: "Findings and verdict". */
export type Status = 'pass' | 'fail' | 'warn' | 'observed' | 'not-applicable' | 'blocked' | 'untestable'

export interface RecordedMessage {
  headers: Record<string, string>
  /** Text, cut at a length that a report can carry; `bytes` is the true length. Secrets are replaced. */
  body: string
  bytes: number
}

/** One request with its response, redacted when it was recorded. */
export interface Exchange {
  /** Position in the run, from 1. */
  number: number
  operation?: OperationId
  /** Who asked: `guest`, `superuser`, `user`, ... */
  actor: string
  request: RecordedMessage & {
    method: string
    url: string
    /** A small body that is no text, or a form: its bytes, a character each, secrets replaced. */
    octets?: string
  }
  /** Absent when the connection failed. */
  response?: RecordedMessage & { status: number }
  ms: number
}

/** The counterexample of a property, shrunk, and how to see it again. */
export interface Replay {
  seed: number
  path: string
  /** The command line that repeats exactly this example. */
  command: string
}

export interface Finding {
  requirement: string
  statement: string
  level: Level
  basis: Basis
  /** Section of the document, or the gap's key. */
  source: string
  status: Status
  /** Fact first. Empty for a pass. */
  message: string
  /** What one could do next: a configuration line that unlocks the check, for example. */
  hint?: string
  expected?: string
  received?: string
  /** The exchanges that show it, the deciding one last. Empty for a pass. */
  exchanges: Exchange[]
  /** Each exchange as a curl line, secrets as `$VAR`. */
  curl: string[]
  replay?: Replay
  /** It is listed in the baseline: reported and counted, but not held against the target. */
  known?: { reason: string; issue?: string; expires?: string }
  /** Requests that the check sent. */
  requests: number
  ms: number
}

export interface BasisCount {
  /** Findings that count: pass, fail, warn. */
  counted: number
  passed: number
  failed: number
  warned: number
  observed: number
  notApplicable: number
  blocked: number
  untestable: number
  /** Those of fail, warn, blocked and untestable that the baseline lists: not counted as such. */
  known?: number
}

export type Outcome = 'conformant' | 'non-conformant' | 'incomplete' | 'error'

export interface Verdict {
  outcome: Outcome
  exitCode: 0 | 1 | 2 | 3
  /** stated and implied together. */
  document: BasisCount
  profile: BasisCount & { claimed: boolean; name: string }
  /** One sentence a line, as the terminal prints it. */
  lines: string[]
}

/** A table of the target in one of our roles. */
export interface TableRef {
  role: string
  /** What stands in the path. */
  name: string
  id?: string
  /** Our field name → theirs. Absent: the same. */
  fields?: Record<string, string>
}

/** How to become somebody. Exactly one of `token` and `signIn`. Values come from the environment or a file. */
export interface Credential {
  token?: string
  signIn?: { table: string; identity: string; password: string }
  /** Makes a token a project API key: what it may do. Tables as they stand in the path. */
  scope?: { tables: readonly string[]; actions: readonly KeyAction[] }
}

/** Ports of the services that a run starts for a server that was told of them. A free one where none is named. */
export interface ServicePorts {
  /** The mail sink. */
  smtp?: {
    port?: number
    /**
     * Milliseconds between the arrival of a mail and its use: some servers note only afterwards that it was sent.
     *
     * @default 50
     */
    settle?: number
  }
  /** The identity provider. */
  oidc?: { port?: number }
}

export type KeyAction = 'list' | 'view' | 'create' | 'update' | 'delete'

export interface KeyScope {
  tables: readonly (TableRef | string)[]
  actions: readonly KeyAction[]
}

/** A project API key. `id` is what revokes it; a key given in the target file has none. */
export interface ApiKey {
  id?: string
  key: string
}

/** A mail that the target sent, its transfer encoding undone. */
export interface ReceivedMail {
  /** Position among all mails of the run, from 1. */
  number: number
  to: string[]
  from: string
  subject: string
  text: string
  html: string
}

/** A person at the identity provider. What is absent is absent in its claims too. */
export interface ProviderAccount {
  sub?: string
  email?: string
  emailVerified?: boolean
  name?: string
  username?: string
  picture?: string
}

/** What is tested. design: "target". */
export interface Target {
  baseUrl: string
  name?: string
  /** Name of the profile that the target claims; absent: claims nothing. */
  profile?: string
  /** Requirements of the standard profile that the claim is about. Absent: all. */
  follows?: readonly string[]
  binding: Binding
  /** Capabilities the target says it has (true) or lacks (false); those not named are probed where possible. */
  capabilities: Readonly<Record<string, boolean>>
  tables: Readonly<Record<string, TableRef>>
  credentials: Readonly<Record<string, Credential>>
  /** Help from the tester's side by name (`clock`, `mailbox`, ...): a module path or an address, as the hook's user reads it. */
  hooks?: Readonly<Record<string, string>>
  /** Services to start for the run; the server was told where they will be. */
  services?: ServicePorts
}

export interface Query {
  page?: number | string
  perPage?: number | string
  sort?: string
  filter?: string
  expand?: string
  fields?: string
  skipTotal?: boolean | string | number
  [other: string]: string | number | boolean | undefined
}

export type Body = Record<string, unknown>
/** A record as it came over the wire. */
export type WireRecord = Record<string, unknown> & { id: string }

/** A received response. `body` is the parsed JSON, undefined where there is none or it does not parse. */
export interface Reply {
  status: number
  ok: boolean
  headers: Readonly<Record<string, string>>
  body: unknown
  text: string
  exchange: Exchange
}

export interface SubRequest {
  method: string
  /** Full path as in the document, made with `path.records(table)` and the like. */
  url: string
  body?: Body
  headers?: Record<string, string>
}

export interface RawRequest {
  method: string
  /** From the host on, query included: `/api/v1/...`. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
  operation?: OperationId
}

/** Speaks the interface as one actor. Every exchange is recorded and held against the OpenAPI description. */
export interface Api {
  readonly actor: string
  /** The same client as somebody else. `guest` sends no token. Tokens are had once and kept. */
  as(actor: string): Api
  /** The same client with this very Authorization value. */
  withToken(token: string, name?: string): Api
  list(table: TableRef, query?: Query): Promise<Reply>
  view(table: TableRef, id: string, query?: Query): Promise<Reply>
  /** What is created is entered in the ledger, whoever deletes it first. */
  create(table: TableRef, body: Body | FormData, query?: Query): Promise<Reply>
  update(table: TableRef, id: string, body: Body | FormData, query?: Query): Promise<Reply>
  delete(table: TableRef, id: string): Promise<Reply>
  /** Records created in it enter the ledger as well. */
  batch(requests: SubRequest[], query?: Query): Promise<Reply>
  authMethods(table: TableRef, query?: Query): Promise<Reply>
  authWithPassword(table: TableRef, body: Body, query?: Query): Promise<Reply>
  authWithOAuth2(table: TableRef, body: Body, query?: Query): Promise<Reply>
  requestOtp(table: TableRef, body: Body): Promise<Reply>
  authWithOtp(table: TableRef, body: Body, query?: Query): Promise<Reply>
  authRefresh(table: TableRef, query?: Query): Promise<Reply>
  impersonate(table: TableRef, id: string, body?: Body, query?: Query): Promise<Reply>
  requestVerification(table: TableRef, body: Body): Promise<Reply>
  confirmVerification(table: TableRef, body: Body): Promise<Reply>
  requestPasswordReset(table: TableRef, body: Body): Promise<Reply>
  confirmPasswordReset(table: TableRef, body: Body): Promise<Reply>
  requestEmailChange(table: TableRef, body: Body): Promise<Reply>
  confirmEmailChange(table: TableRef, body: Body): Promise<Reply>
  /** Anything, also what the interface forbids. Not held against the request schemas. */
  raw(request: RawRequest): Promise<Reply>
  /** Paths with the target's prefix, for batch urls and raw requests. */
  readonly path: {
    records(table: TableRef | string): string
    record(table: TableRef | string, id: string): string
    batch(): string
    auth(table: TableRef | string, action: string): string
  }
}

export interface PropertyOptions {
  /** Examples. Default 25, scaled by `--runs`. */
  runs?: number
  /** Milliseconds for all examples together; the time spent on shrinking is bounded by it as well. */
  timeLimit?: number
}

/** One thing wrong with one exchange, seen by the validator. */
export interface Violation {
  /** The requirement that it breaks. */
  requirement: string
  message: string
  expected: string
  received: string
  exchange: Exchange
}

/** All exchanges of the run so far, as far as they matter to requirements about every exchange. */
export interface Traffic {
  /** Responses that the validator has judged. */
  readonly judged: number
  /** Responses of an operation, by status; `0` stands for none. */
  seen(operation: OperationId): Readonly<Record<number, number>>
  /** What breaks a requirement. The first few only. */
  violations(requirement: string): readonly Violation[]
  /** The requirements that at least one exchange breaks. */
  broken(): readonly string[]
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
  /** Whether the target has a table in the role, for checks that use it where it is there. */
  hasTable(role: string): boolean
  /** Text that no other check, run or worker uses: `unique('title')` → `title-k3x9…`. Deterministic by seed. */
  unique(prefix?: string): string
  /** Creates a record and expects success, by the most able actor the target gave (superuser, else guest). */
  make(table: TableRef, body?: Body, query?: Query): Promise<WireRecord>
  /** `count` records one after the other. */
  makeMany(table: TableRef, bodies: readonly Body[]): Promise<WireRecord[]>
  /**
   * A refusal with its positive control: `control` must succeed, then `attempt` must be refused (4xx). A control that
   * fails makes the check `blocked`, not `fail`. `status` and `code` are compared for basis `profile` only.
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
    options?: PropertyOptions,
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
    /** Goes to the provider like a browser and comes back with what the redirect carries. `wrong` names a misbehaviour. */
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
  /** Made by the first check that asks, the same for all others of the run. What it created lasts as long. */
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

/** An exception that is no expectation: our own fault, or the target's disappearance. Never scored against the server. */
export interface RunError {
  /** Where it happened: a requirement's id, or `smoke`, `clean-up`, ... */
  place: string
  message: string
  stack?: string
}

/** Something that a run created and could not delete. */
export interface Leftover {
  table: string
  id: string
  reason: string
}

/** What the smoke check found before anything was judged. */
export interface Smoke {
  /** Roles of tables that the target has, and how they are known. */
  tables: Record<string, 'given' | 'found'>
  missingTables: string[]
  actors: string[]
  /** Known capabilities. Those absent were neither claimed nor could they be probed. */
  capabilities: Record<string, boolean>
  /** One line of configuration each, with the number of checks that it unlocks. */
  unlocks: { line: string; checks: number }[]
  notes: string[]
}

/** Everything about one run. `spec/report.schema.json` describes its JSON form. */
export interface RunReport {
  suite: { name: string; version: string }
  target: { baseUrl: string; name?: string; profile?: string }
  seed: number
  /** ISO 8601, UTC. */
  startedAt: string
  durationMs: number
  /** All that were sent, set-up and clean-up included. */
  requests: number
  verdict: Verdict
  findings: Finding[]
  errors: RunError[]
  leftovers: Leftover[]
  smoke: Smoke
  /** Requests of the checks by what they could do. A read-only run has no writes. */
  sent?: { reads: number; signIns: number; writes: number }
  /** Known failures, and what is wrong with their list. */
  baseline?: { file: string; known: number; problems: string[] }
}
