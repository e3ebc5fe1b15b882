/**
 * The types of a reference.
 *
 * @module
 */

import type { ApiKeys } from './auth/api-keys.ts'
import type { Mailbox } from './auth/mail/mailbox.ts'
import type {
  AnyRecord,
  AnyValues,
  ChangesOf,
  RecordOf,
  TableInputs,
  TableName,
  TableNamed,
} from './define-tables.ts'
import type { Clock } from './environment/environment.ts'
import type { Realtime } from './extras/realtime/realtime.ts'
import type { Listener } from './http/listen.ts'
import type { RecordsApi, TypedRecordsApi } from './records/records-api.ts'
import type { StateJson } from './state/state-json.ts'
import type { Actor, ActorName, TokenFor } from './testing/actors.ts'
import type { FaultMaker } from './testing/faults.ts'
import type { Footprint } from './testing/footprint.ts'
import type { PretendProvider } from './testing/pretend-provider.ts'
import type { RequestLog } from './testing/request-log.ts'

declare const snapshotOf: unique symbol

/** The state of a reference at one moment, for `restore`. Taking one takes constant time. */
export interface ReferenceSnapshot {
  /** Distinguishes snapshots from other objects. The property does not exist at run time. */
  readonly [snapshotOf]: 'reference'
}

/** Values for created records: the same for all records, or by position, from 0. */
export type GivenValues<Values> = Values | ((position: number) => Values)

/** With this many elements, up to 10. */
type Several<Made, Count extends number, Sofar extends Made[] = []> = Sofar['length'] extends Count
  ? Sofar
  : Sofar['length'] extends 10
    ? Made[]
    : Several<Made, Count, [...Sofar, Made]>

/** Created records. With a known count, up to 10, the result is a tuple, so that `const [first, second]` are records. */
export type MadeRecords<Record, Count extends number> = number extends Count
  ? Record[]
  : Count extends Count
    ? Several<Record, Count>
    : never

/** What every reference has, whatever its tables. */
export interface ReferenceBase extends AsyncDisposable {
  /**
   * Handles a request inside the process, without a socket. A path alone is completed with an origin.
   *
   * @param ip address of the client, for rate limits and the log. @default '127.0.0.1'
   * @throws the reason of an aborted `signal`; TypeError `fetch failed` where a fault drops the connection
   */
  fetch(request: Request | string | URL, init?: RequestInit, ip?: string): Promise<Response>
  /**
   * Also listens on a socket.
   *
   * @param port 0 for any free port, which is the default
   * @param host @default '127.0.0.1'
   * @throws the system's error if the port is not available, with the code `EADDRINUSE` for example
   */
  listen(port?: number, host?: string): Promise<Listener>
  /** Ends all listeners, then waits for pending emails. The stored data is kept. */
  close(): Promise<void>
  /** The clock of this reference. Tests set it, advance it and stop it. */
  readonly clock: Clock
  /** Project API keys: create, list and revoke them. */
  readonly apiKeys: ApiKeys
  /** Emails that were sent. Restoring and resetting empties it. */
  readonly mail: Mailbox
  /** Clients that listen to changes. Not part of the document: `docs/extras.md`. */
  readonly realtime: Realtime
  /** Identity providers that exist in the test only. */
  readonly oauth2: PretendProvider
  /** Path in front of every route: `/api/v1` if the options name no other. */
  readonly prefix: string
  /**
   * Notices about the given options: parts of tables that were left out or have no effect, names in rules that no auth
   * table or body has, and rate limits without effect.
   */
  readonly notices: readonly string[]
  /** Creates a token of any kind without signing in. */
  readonly tokenFor: TokenFor
  /** Sends requests as a user: `(await reference.as(user)).fetch('/api/v1/...')`. */
  as(actor: ActorName): Promise<Actor>
  /** Makes requests fail, wait or break off. Resetting and restoring removes all faults. */
  readonly fault: FaultMaker
  /** Removes all faults. */
  clearFaults(): void
  /** The log of requests and responses. Resetting and restoring empties it. */
  readonly requests: RequestLog
  /** The requirements that the requests so far depend on. */
  footprint(): Promise<Footprint>
  /** The current state, for `restore`. */
  snapshot(): ReferenceSnapshot
  /**
   * Returns to a snapshot of this reference, or of one that was forked from it or that it was forked from, including the
   * tables it had. The clock keeps running.
   *
   * @throws TypeError for anything that `snapshot()` did not return, and for a snapshot of any other reference
   */
  restore(snapshot: ReferenceSnapshot): void
  /**
   * Returns to the state after creation. The clock, too, returns to its time after creation and runs on from there, unless
   * it was passed in the options.
   */
  reset(): void
  /** The state as JSON, hashes and secrets included. */
  exportState(): Promise<StateJson>
  /** Replaces the state, tables included. The clock keeps running. */
  importState(state: StateJson): Promise<void>
}

/** A reference with known table types: records have the types that their tables define. */
export interface TypedReference<Tables extends TableInputs> extends ReferenceBase {
  /** Records from code: validated, but rules do not apply. */
  readonly records: TypedRecordsApi<Tables>
  /**
   * Creates generated records that satisfy every constraint of their table. Accounts have the password `password1234`.
   *
   * @param count @default 1
   * @throws RecordError if given values are invalid
   */
  make<Name extends TableName<Tables>, Count extends number = 1>(
    table: Name,
    count?: Count,
    overrides?: GivenValues<ChangesOf<TableNamed<Tables, Name>>>,
  ): Promise<MadeRecords<RecordOf<TableNamed<Tables, Name>>, Count>>
  /** Another reference that starts from the current state; neither sees the writes of the other. */
  fork(): TypedReference<Tables>
}

/** A reference with any tables. */
export interface AnyReference extends ReferenceBase {
  /** Records from code: validated, but rules do not apply. */
  readonly records: RecordsApi
  /**
   * Creates generated records that satisfy every constraint of their table. Accounts have the password `password1234`.
   *
   * @param count @default 1
   * @throws RecordError if given values are invalid
   */
  make<Count extends number = 1>(
    table: string,
    count?: Count,
    overrides?: GivenValues<AnyValues>,
  ): Promise<MadeRecords<AnyRecord, Count>>
  /** Another reference that starts from the current state; neither sees the writes of the other. */
  fork(): AnyReference
}

/** Any reference, or one with these tables. */
export type Reference<Tables extends TableInputs = TableInputs> =
  string extends TableName<Tables> ? AnyReference : TypedReference<Tables>
