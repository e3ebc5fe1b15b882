/**
 * A typed client of the control endpoints of `conformance serve --control`, for tests in another process than the server.
 * It needs nothing but `fetch`.
 *
 * @example
 * ```ts
 * import { connect } from 'record-auth-conformance/control'
 *
 * const control = connect(process.env.CONTROL_URL)
 * const { id } = await control.snapshot()
 * await control.addRecords({ posts: [{ title: 'Hello' }] })
 * await control.restore(id)
 * ```
 *
 * @module record-auth-conformance/control
 */

import type { ClockChange, ControlClock } from '../exchange/control-clock.ts'
import { directFetch } from '../exchange/direct-fetch.ts'
import type { LoadedData } from '../exchange/loaded-data.ts'
import type { LoggedExchange, RepeatableRequest } from '../exchange/logged-exchange.ts'
import type { ApiKeyScope, ListedApiKey, NewApiKey } from '../reference/auth/api-keys.ts'
import type { EmailFilter, SentEmail } from '../reference/auth/mail/mailbox.ts'
import type {
  ChangesOf,
  NewRecordOf,
  RecordOf,
  TableInputs,
  TableName,
  TableNamed,
} from '../reference/define-tables.ts'
import type { MadeRecords } from '../reference/reference-types.ts'
import type { TokenForOptions } from '../reference/testing/actors.ts'
import type { FaultOptions } from '../reference/testing/fault-options.ts'
import type { PretendRejection, PretendUser } from '../reference/testing/pretend-provider.ts'

export type { ClockChange, ControlClock } from '../exchange/control-clock.ts'
export type { LoadedData } from '../exchange/loaded-data.ts'
export type {
  LoggedExchange,
  LoggedFinding,
  LoggedMessage,
  RepeatableRequest,
} from '../exchange/logged-exchange.ts'
export type { ApiKeyScope, ListedApiKey, NewApiKey } from '../reference/auth/api-keys.ts'
export type { EmailFilter, SentEmail } from '../reference/auth/mail/mailbox.ts'
export type { EmailKind } from '../reference/auth/mail/template.ts'
export type { TokenKind } from '../reference/auth/tokens.ts'
export type { TokenForOptions } from '../reference/testing/actors.ts'
export type { FaultOptions } from '../reference/testing/fault-options.ts'
export type { PretendRejection, PretendUser } from '../reference/testing/pretend-provider.ts'
export type { ApiKeyFacts } from '../reference/vocabulary.ts'
export type { KeyAction, Level, OperationId } from '../spec/vocabulary.ts'

/** The server rejected a request of the client. Its message says what to correct. */
export class ControlError extends Error {
  /** `ControlError`. */
  override readonly name = 'ControlError'
  /** Status of the response. */
  readonly status: number

  /** The message of the server, and the status of its response. */
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** A record, or another JSON object. */
export type JsonRecord = Record<string, unknown>

/** A record of a table as it is stored, with hidden fields and without passwords. Of an unknown table: any object. */
export type StoredRecord<Tables extends TableInputs, Name extends TableName<Tables>> =
  string extends TableName<Tables>
    ? JsonRecord
    : Omit<RecordOf<TableNamed<Tables, Name>>, 'collectionId' | 'collectionName' | 'expand'>

/** Without what JSON has no form for: a file cannot be sent to a control endpoint. */
type SentValue<Value> = Value extends Blob
  ? never
  : Value extends readonly (infer Part)[]
    ? readonly Exclude<Part, Blob>[]
    : Value

type Sent<Values> = { [Name in keyof Values]: SentValue<Values[Name]> }

/** What a record that was saved from a response has in addition to the values that were given. */
type Returned = 'collectionId' | 'collectionName' | 'created' | 'updated' | 'expand'

/**
 * A record to add to a table: what a new record needs, and what a saved response has in addition. Of an unknown table: any
 * object.
 */
export type AddedRecord<Tables extends TableInputs, Name extends TableName<Tables>> =
  string extends TableName<Tables>
    ? object
    : Sent<NewRecordOf<TableNamed<Tables, Name>>> &
        Partial<Pick<RecordOf<TableNamed<Tables, Name>>, Returned>>

/** Values for records whose other values are invented. Of an unknown table: any object. */
export type MadeValues<Tables extends TableInputs, Name extends TableName<Tables>> =
  string extends TableName<Tables> ? JsonRecord : Sent<ChangesOf<TableNamed<Tables, Name>>>

/** The account of a token by its id or its email address. */
export type TokenRequest = (
  | {
      /** Id of the account. */
      id: string
    }
  | {
      /** Email address of the account. */
      email: string
    }
) &
  TokenForOptions & {
    /** Name or id of the auth table. */
    table: string
  }

/** An email that the server sent. */
export interface ControlEmail extends Omit<SentEmail, 'sentAt'> {
  /** Time in ISO 8601, by the server's clock. */
  sentAt: string
}

/** Which emails to list. */
export interface EmailQuery extends EmailFilter {
  /** Milliseconds to wait for an email, at most 60,000. @default 0 */
  wait?: number | undefined
}

/** What happens to requests that match; see the table of control endpoints in docs/serve.md. */
export interface PlannedFault extends Omit<FaultOptions, 'match'> {
  /** Operation, path, or method and path, without the prefix. @default every request */
  match?: string | undefined
}

/** Name of a snapshot. */
export interface SnapshotId {
  /** For `restore`. */
  id: string
}

/**
 * The control endpoints. Every promise rejects with a `ControlError` where the server rejects the request. With the type
 * of the served tables, records have the types that the tables define, those that are sent as well.
 */
export interface Control<Tables extends TableInputs = TableInputs> {
  /** Back to the data that was loaded last, and the clock to its start. */
  reset(): Promise<void>
  /** Keeps the present state. */
  snapshot(): Promise<SnapshotId>
  /** Returns to a snapshot. @param id @default the snapshot that was taken last */
  restore(id?: string): Promise<SnapshotId>
  /** Everything that is served, secrets included, as `loadState` and `--data` take it. */
  state(): Promise<JsonRecord>
  /** Serves other data instead, in any format of a data file. */
  loadState(data: unknown): Promise<LoadedData>
  /** Reads the data file again. */
  reload(): Promise<LoadedData>
  /** Records by table, as they are stored: all are added, or none. Rules do not apply. */
  addRecords<Name extends TableName<Tables>>(
    records: { readonly [Table in Name]: readonly AddedRecord<Tables, Table>[] },
  ): Promise<{ [Table in Name]: StoredRecord<Tables, Table>[] }>
  /** All records of a table, as they are stored. */
  records<Name extends TableName<Tables>>(table: Name): Promise<StoredRecord<Tables, Name>[]>
  /** Creates records with invented values, and with those given. Rules do not apply. @param count @default 1 */
  make<Name extends TableName<Tables>, Count extends number = 1>(
    table: Name,
    count?: Count,
    values?: MadeValues<Tables, Name>,
  ): Promise<MadeRecords<StoredRecord<Tables, Name>, Count>>
  /** Adds tables. Views are left out. @returns the names of the others */
  addTables(definitions: readonly object[]): Promise<string[]>
  /** Reads the clock, or changes it. */
  clock(change?: ClockChange): Promise<ControlClock>
  /** Creates a token for an account. */
  token(request: TokenRequest): Promise<string>
  /** The API keys, without the keys themselves. */
  apiKeys(): Promise<ListedApiKey[]>
  /** Creates an API key. */
  createApiKey(scope: ApiKeyScope): Promise<NewApiKey>
  /** Revokes an API key by its id. */
  revokeApiKey(id: string): Promise<void>
  /** Sets who signs in next at an identity provider, with any code. @returns a code of that user */
  nextUser(user: PretendUser | PretendRejection): Promise<string>
  /**
   * Does what the browser does on the page of a pretended provider.
   *
   * @param authURL from auth-methods, with the address of the application
   * @returns the URL that the provider redirects to, with `code` and `state`
   */
  visitProvider(authURL: string, user: PretendUser | PretendRejection): Promise<string>
  /** How many realtime clients are connected. */
  realtimeConnections(): Promise<number>
  /** Ends all realtime connections, like a restart. Clients reconnect. */
  disconnectRealtime(): Promise<void>
  /** Plans a fault. */
  fault(fault: PlannedFault): Promise<void>
  /** Removes all planned faults. */
  clearFaults(): Promise<void>
  /** Emails that were sent since the last reset. */
  emails(query?: EmailQuery): Promise<ControlEmail[]>
  /** Empties the mailbox. */
  clearEmails(): Promise<void>
  /** Requests since the last reset, once all of them are recorded. */
  requests(): Promise<LoggedExchange[]>
  /** One request by its `id`, with the curl command that repeats it. */
  request(id: number): Promise<RepeatableRequest>
  /** Empties the log of requests. */
  clearRequests(): Promise<void>
}

/**
 * Connects to a server that was started with `--control`. Nothing is sent before the first call.
 * `connect<typeof tables>(url)` gives records the types that the tables define; the server is not asked for its tables.
 *
 * @param url of the server, or `CONTROL_URL` of the environment of `--exec`
 * @throws TypeError when the URL is missing or is not one of a server
 *
 * @example
 * ```ts
 * import { connect } from 'record-auth-conformance/control'
 *
 * const control = connect(process.env.CONTROL_URL)
 * await control.addRecords({ posts: [{ title: 'Hello' }] })
 * ```
 */
export function connect<Tables extends TableInputs = TableInputs>(
  url: string | URL | undefined,
): Control<Tables> {
  if (url === undefined)
    throw new TypeError('The URL is missing: pass CONTROL_URL, which --exec sets with --control.')
  const { origin } = httpURL(String(url))

  async function send<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await directFetch(`${origin}/_conformance/${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    }).catch((cause: unknown) => {
      const { code, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
      throw new Error(
        `There is no server at ${origin} (${code ?? message}): start one with "conformance serve --control".`,
        { cause },
      )
    })
    const text = await response.text()
    if (!response.ok) throw new ControlError(messageIn(text, response, origin), response.status)
    return (text === '' ? undefined : parsed(text, response, origin)) as Result
  }

  /** A URL drops these segments, and the request would be another one. */
  function segment(table: string): string {
    if (['', '.', '..'].includes(table)) throw new TypeError(`There is no table ${JSON.stringify(table)}.`)
    return encodeURIComponent(table)
  }

  const control: Control = {
    reset: () => send('POST', 'reset'),
    snapshot: () => send('POST', 'snapshot'),
    restore: (id) => send('POST', 'restore', { id }),
    state: () => send('GET', 'state'),
    loadState: (data) => send('POST', 'state', data),
    reload: () => send('POST', 'reload'),
    addRecords: async <Name extends string>(given: Record<Name, readonly object[]>) =>
      (await send<{ records: Record<Name, JsonRecord[]> }>('POST', 'records', given)).records,
    records: async (table) =>
      (await send<{ records: JsonRecord[] }>('GET', `records/${segment(table)}`)).records,
    make: async <Count extends number>(table: string, count?: Count, values?: JsonRecord) => {
      type Made = { records: MadeRecords<JsonRecord, Count> }
      return (await send<Made>('POST', `make/${segment(table)}`, { count, values })).records
    },
    addTables: async (definitions) =>
      (await send<{ tables: string[] }>('POST', 'tables', definitions)).tables,
    clock: (change) => (change === undefined ? send('GET', 'clock') : send('POST', 'clock', change)),
    token: async (request) => (await send<{ token: string }>('POST', 'token', request)).token,
    apiKeys: () => send('GET', 'api-keys'),
    createApiKey: (scope) => send('POST', 'api-keys', scope),
    revokeApiKey: (revoke) => send('POST', 'api-keys', { revoke }),
    nextUser: async (user) => (await send<{ code: string }>('POST', 'oauth2', user)).code,
    visitProvider: async (authURL, user) =>
      (await send<{ url: string }>('POST', 'oauth2', { ...user, authURL })).url,
    realtimeConnections: async () => (await send<{ connections: number }>('GET', 'realtime')).connections,
    disconnectRealtime: () => send('DELETE', 'realtime'),
    fault: async (fault) => void (await send('POST', 'fault', fault)),
    clearFaults: async () => void (await send('POST', 'fault', { clear: true })),
    emails: async (query = {}) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) parameters.set(name, String(value))
      return (await send<{ mails: ControlEmail[] }>('GET', `mail?${parameters}`)).mails
    },
    clearEmails: () => send('DELETE', 'mail'),
    requests: async () => (await send<{ requests: LoggedExchange[] }>('GET', 'requests')).requests,
    request: (id) => send('GET', `requests/${id}`),
    clearRequests: () => send('DELETE', 'requests'),
  }
  return control as unknown as Control<Tables>
}

/** @throws TypeError that shows the URL */
function httpURL(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed
  throw new TypeError(`"${url}" is not the URL of a server: write it like http://127.0.0.1:8090.`)
}

/** @throws ControlError for a page of another program */
function parsed(text: string, { status }: Response, origin: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlError(`${without(origin)} ${text.slice(0, 200)}`, status)
  }
}

function without(origin: string): string {
  return `The server at ${origin} has no control endpoints: start it with --control. It responded:`
}

/** Of an error of the server; what another program sent is shown cut. */
function messageIn(text: string, { status, headers }: Response, origin: string): string {
  const message = jsonMessage(text)
  if (message === undefined) return `The server did not send JSON: ${text.slice(0, 200)}`
  // Control endpoints are never stored. The interface itself responds if they are off.
  return status === 404 && headers.get('cache-control') !== 'no-store'
    ? `${without(origin)} ${message}`
    : message
}

function jsonMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
