/**
 * What a reference offers, as types.
 *
 * @module
 */

import type { ApiKeys } from './auth/api-keys.ts'
import type { Mailbox } from './auth/mail/mailbox.ts'
import type { Clock } from './environment.ts'
import type { Realtime } from './extras/realtime/realtime.ts'
import type { Listener } from './listen.ts'
import type { RecordsApi, TypedRecordsApi } from './records-api.ts'
import type { StateJson } from './state-json.ts'
import type { Actor, ActorName, TokenFor } from './testing/actors.ts'
import type { FaultMaker } from './testing/faults.ts'
import type { Footprint } from './testing/footprint.ts'
import type { PretendProvider } from './testing/pretend-provider.ts'
import type { RequestLog } from './testing/request-log.ts'
import type {
  AnyRecord,
  ChangesOf,
  RecordOf,
  TableInputs,
  TableName,
  TableNamed,
  Whatever,
} from './typed-tables.ts'

declare const snapshotOf: unique symbol

/** The state of a reference at one moment, for `restore`. Taking one costs the same however much the state holds. */
export interface ReferenceSnapshot {
  /** Tells snapshots from other objects. There is no such property at run time. */
  readonly [snapshotOf]: 'reference'
}

/** The same for all, or by position. */
type Given<Values> = Values | ((position: number) => Values)

/** Who asks for one record has one: nobody need look whether it is there. */
type Made<Record, Count extends number> = Count extends 1 ? [Record] : Record[]

/** What every reference has, whatever its tables. */
interface Core extends AsyncDisposable {
  /** Answers a request inside the process. A path alone is completed with an origin. @param ip it counts as from there */
  fetch(request: Request | string | URL, init?: RequestInit, ip?: string): Promise<Response>
  /** Listens on a socket, too. @param port 0 for any free one */
  listen(port?: number, host?: string): Promise<Listener>
  /** Ends all listeners, when the mails under way are out. What is stored stays. */
  close(): Promise<void>
  readonly clock: Clock
  readonly apiKeys: ApiKeys
  /** Mails that were sent. Restoring and resetting empties it. */
  readonly mail: Mailbox
  /** Clients that listen to changes. Not part of the document: `docs/extras.md`. */
  readonly realtime: Realtime
  /** Identity providers that exist in the test only. */
  readonly oauth2: PretendProvider
  readonly prefix: string
  /** What of the given tables was left out, a sentence each. */
  readonly notices: readonly string[]
  /** A token without signing in, of any kind. */
  readonly tokenFor: TokenFor
  /** Somebody who asks: `(await reference.as(user)).fetch('/api/v1/...')`. */
  as(actor: ActorName): Promise<Actor>
  /** Makes requests fail, wait or break off. Resetting and restoring ends all faults. */
  readonly fault: FaultMaker
  clearFaults(): void
  /** What was asked and answered. Resetting and restoring empties it. */
  readonly requests: RequestLog
  /** Which requirements the requests so far depend on. */
  footprint(): Promise<Footprint>
  snapshot(): ReferenceSnapshot
  /** Goes back to a snapshot of this reference, or of one with the same tables. The clock goes on. */
  restore(snapshot: ReferenceSnapshot): void
  /** Back to the state it was created with. The clock goes on. */
  reset(): void
  /** The state as JSON, hashes and secrets included. */
  exportState(): Promise<StateJson>
  /** Replaces the state, tables included. The clock goes on. */
  importState(state: StateJson): Promise<void>
}

/** A reference whose tables the compiler knows: records have the types that their tables say. */
export interface TypedReference<Tables extends TableInputs> extends Core {
  /** Records from code: checked, but no rule is asked. */
  readonly records: TypedRecordsApi<Tables>
  /**
   * Made-up records that satisfy every constraint of their table; accounts have the password `password1234`.
   *
   * @param count @default 1
   * @throws RecordError when values that were given do not fit
   */
  make<Name extends TableName<Tables>, Count extends number = 1>(
    table: Name,
    count?: Count,
    overrides?: Given<ChangesOf<TableNamed<Tables, Name>>>,
  ): Promise<Made<RecordOf<TableNamed<Tables, Name>>, Count>>
  /** Another reference that begins with the present state; neither sees the writes of the other. */
  fork(): TypedReference<Tables>
}

/** A reference with any tables. */
export interface AnyReference extends Core {
  /** Records from code: checked, but no rule is asked. */
  readonly records: RecordsApi
  /**
   * Made-up records that satisfy every constraint of their table; accounts have the password `password1234`.
   *
   * @param count @default 1
   * @throws RecordError when values that were given do not fit
   */
  make<Count extends number = 1>(
    table: string,
    count?: Count,
    overrides?: Given<Whatever>,
  ): Promise<Made<AnyRecord, Count>>
  /** Another reference that begins with the present state; neither sees the writes of the other. */
  fork(): AnyReference
}

/** Any reference, or one with these tables. */
export type Reference<Tables extends TableInputs = TableInputs> =
  string extends TableName<Tables> ? AnyReference : TypedReference<Tables>
