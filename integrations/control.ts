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

import type { LoggedExchange } from '../exchange/logged-exchange.ts'

export type { LoggedExchange, LoggedFinding, LoggedMessage } from '../exchange/logged-exchange.ts'
export type { Level, OperationId } from '../spec/vocabulary.ts'

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

/** The clock of the server. */
export interface ControlClock {
  /** Time in ISO 8601. */
  now: string
  /** Whether it stands still. */
  frozen: boolean
  /** Milliseconds ahead of the machine's clock. */
  ahead: number
}

/** Changes of the clock. The server makes all of them, in this order. */
export interface ClockChange {
  /** Time in ISO 8601, milliseconds since 1970, or `system`. */
  set?: string | number
  /** Milliseconds, or a string such as `90s`, `15m`, `2h` or `1d`. */
  advance?: string | number
  /** `true`, or the time to stop at. */
  freeze?: true | string | number
  /** Lets it run again. */
  unfreeze?: true
}

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
) & {
  /** Name or id of the auth table. */
  table: string
  /** What the token is for. @default 'auth' */
  kind?: 'auth' | 'static' | 'file' | 'verification' | 'passwordReset' | 'emailChange'
  /** Seconds; a negative number creates an expired token. */
  duration?: number
  /** New address, for `emailChange`. */
  newEmail?: string
}

/** An email that the server sent. */
export interface ControlEmail {
  /** What it is about. */
  kind: 'verification' | 'password-reset' | 'email-change' | 'otp' | 'login-alert'
  /** Address. */
  to: string
  /** Subject line. */
  subject: string
  /** Body as HTML. */
  html: string
  /** Body as plain text. */
  text: string
  /** One-time code in it. */
  code?: string
  /** Token in its link. */
  token?: string
  /** URL in it. */
  link?: string
}

/** Which emails to list. */
export interface EmailQuery {
  /** Address. */
  to?: string
  /** What they are about. */
  kind?: ControlEmail['kind']
  /** Milliseconds to wait for an email, at most 60,000. */
  wait?: number
}

/** What happens to requests that match; see the table of control endpoints in docs/serve.md. */
export interface PlannedFault {
  /** Operation, or method and path. @default every request */
  match?: string
  /** Status of the response, in place of the real one. */
  status?: number
  /** JSON body of the response, in place of the real one. */
  body?: unknown
  /** Headers of the response. */
  headers?: Record<string, string>
  /** Milliseconds, or the least and the most of them. */
  delay?: number | [number, number]
  /** Ends the connection: before the request has an effect, after it, or after some bytes of the response. */
  drop?:
    | true
    | 'request'
    | 'answer'
    | {
        /** Bytes of the response that are still sent. */
        afterBytes: number
      }
  /** Treats the token of the request as expired. */
  expired?: true
  /** How many requests it applies to. @default all */
  times?: number
  /** How many matching requests pass before. @default 0 */
  after?: number
}

/** What is served after data was loaded. */
export interface LoadedData {
  /** Names of the tables. */
  tables: string[]
  /** Number of records by table. */
  records: Record<string, number>
  /** What of the data has no effect, in words. */
  notices: string[]
}

/** Name of a snapshot. */
export interface SnapshotId {
  /** For `restore`. */
  id: string
}

/** What an API key may do. */
export interface NewKeyScope {
  /** For lists of keys. */
  name?: string
  /** Names of the tables that it opens. */
  tables: string[]
  /** What it may do there. */
  actions: ('list' | 'view' | 'create' | 'update' | 'delete')[]
}

/** An API key that was created. */
export interface CreatedKey {
  /** For `revokeApiKey`. */
  id: string
  /** The key itself. No other response contains it. */
  key: string
}

/** The control endpoints. Every promise rejects with a `ControlError` where the server rejects the request. */
export interface Control {
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
  addRecords(records: Record<string, readonly object[]>): Promise<Record<string, JsonRecord[]>>
  /** All records of a table, as they are stored. */
  records(table: string): Promise<JsonRecord[]>
  /** Adds tables. @returns their names */
  addTables(definitions: readonly object[]): Promise<string[]>
  /** Reads the clock, or changes it. */
  clock(change?: ClockChange): Promise<ControlClock>
  /** Creates a token for an account. */
  token(request: TokenRequest): Promise<string>
  /** Creates an API key. */
  createApiKey(scope: NewKeyScope): Promise<CreatedKey>
  /** Revokes an API key by its id. */
  revokeApiKey(id: string): Promise<void>
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
  /** Empties the log of requests. */
  clearRequests(): Promise<void>
}

/**
 * Connects to a server that was started with `--control`. Nothing is sent before the first call.
 *
 * @param url of the server, or `CONTROL_URL` of the environment of `--exec`
 * @throws TypeError when the URL is missing or cannot be parsed
 *
 * @example
 * ```ts
 * import { connect } from 'record-auth-conformance/control'
 *
 * const control = connect(process.env.CONTROL_URL)
 * await control.addRecords({ posts: [{ title: 'Hello' }] })
 * ```
 */
export function connect(url: string | URL | undefined): Control {
  if (url === undefined)
    throw new TypeError('The URL is missing: pass CONTROL_URL, which --exec sets with --control.')
  const { origin } = new URL(url)

  async function send<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await fetch(`${origin}/_conformance/${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    const text = await response.text()
    if (!response.ok) throw new ControlError(messageIn(text), response.status)
    return (text === '' ? undefined : JSON.parse(text)) as Result
  }

  return {
    reset: () => send('POST', 'reset'),
    snapshot: () => send('POST', 'snapshot'),
    restore: (id) => send('POST', 'restore', { id }),
    state: () => send('GET', 'state'),
    loadState: (data) => send('POST', 'state', data),
    reload: () => send('POST', 'reload'),
    addRecords: async (given) =>
      (await send<{ records: Record<string, JsonRecord[]> }>('POST', 'records', given)).records,
    records: async (table) =>
      (await send<{ records: JsonRecord[] }>('GET', `records/${encodeURIComponent(table)}`)).records,
    addTables: async (definitions) =>
      (await send<{ tables: string[] }>('POST', 'tables', definitions)).tables,
    clock: (change) => (change === undefined ? send('GET', 'clock') : send('POST', 'clock', change)),
    token: async (request) => (await send<{ token: string }>('POST', 'token', request)).token,
    createApiKey: (scope) => send('POST', 'api-keys', scope),
    revokeApiKey: (revoke) => send('POST', 'api-keys', { revoke }),
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
    clearRequests: () => send('DELETE', 'requests'),
  }
}

/** Of an error of the server; what another program sent is shown cut. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // Something else than the server sent it.
  }
  return `The server did not send JSON: ${text.slice(0, 200)}`
}
