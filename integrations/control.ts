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
 * @module
 */

/** The server rejected a request of the client. Its message says what to correct. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

type JsonRecord = Record<string, unknown>

export interface ControlClock {
  /** ISO 8601. */
  now: string
  frozen: boolean
  /** Milliseconds ahead of the machine's clock. */
  ahead: number
}

/** Does all of it, in this order. */
export interface ClockChange {
  /** ISO 8601, milliseconds since 1970, or `system`. */
  set?: string | number
  /** Milliseconds, or a string such as `90s`, `15m`, `2h` or `1d`. */
  advance?: string | number
  /** `true`, or the time to stop at. */
  freeze?: true | string | number
  unfreeze?: true
}

/** The account of a token by its id or its email address. */
export type TokenRequest = ({ id: string } | { email: string }) & {
  table: string
  /** @default 'auth' */
  kind?: 'auth' | 'static' | 'file' | 'verification' | 'passwordReset' | 'emailChange'
  /** Seconds; a negative number creates an expired token. */
  duration?: number
  /** For `emailChange`. */
  newEmail?: string
}

export interface ControlEmail {
  kind: 'verification' | 'password-reset' | 'email-change' | 'otp' | 'login-alert'
  to: string
  subject: string
  html: string
  text: string
  code?: string
  token?: string
  link?: string
}

export interface EmailQuery {
  to?: string
  kind?: ControlEmail['kind']
  /** Milliseconds to wait for an email. */
  wait?: number
}

/** What happens to requests that match; see the table of control endpoints in docs/serve.md. */
export interface PlannedFault {
  match?: string
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Milliseconds, or the least and the most of them. */
  delay?: number | [number, number]
  drop?: true | 'request' | 'answer' | { afterBytes: number }
  expired?: true
  times?: number
  after?: number
}

export interface ControlRequest {
  id: number
  at: string
  method: string
  path: string
  operation?: string
  caller: string
  /** 0 when the connection was dropped. */
  status: number
  /** Why it was rejected, line by line. */
  reason?: string[]
  fault?: string
  request: { headers: Record<string, string>; body?: string }
  response: { headers: Record<string, string>; body?: string }
  findings?: { requirement: string; status: string; statement: string; path: string }[]
}

/** What is served after data was loaded. */
export interface LoadedData {
  tables: string[]
  /** Number of records by table. */
  records: Record<string, number>
  notices: string[]
}

/** Every promise rejects with a `ControlError` where the server rejects the request. */
export interface Control {
  /** Back to the data that was loaded last, and the clock to its start. */
  reset(): Promise<void>
  snapshot(): Promise<{ id: string }>
  /** @param id @default the snapshot that was taken last */
  restore(id?: string): Promise<{ id: string }>
  /** Everything that is served, secrets included, as `loadState` and `--data` take it. */
  state(): Promise<JsonRecord>
  /** Serves other data instead, in any format of a data file. */
  loadState(data: unknown): Promise<LoadedData>
  /** Reads the data file again. */
  reload(): Promise<LoadedData>
  /** Records by table, as they are stored: all are added, or none. Rules do not apply. */
  addRecords(records: Record<string, readonly object[]>): Promise<Record<string, JsonRecord[]>>
  records(table: string): Promise<JsonRecord[]>
  /** @returns names of the tables that were added */
  addTables(definitions: readonly object[]): Promise<string[]>
  clock(change?: ClockChange): Promise<ControlClock>
  token(request: TokenRequest): Promise<string>
  /** The key with its secret. */
  createApiKey(scope: {
    name?: string
    tables: string[]
    actions: ('list' | 'view' | 'create' | 'update' | 'delete')[]
  }): Promise<{ id: string; key: string }>
  revokeApiKey(id: string): Promise<void>
  fault(fault: PlannedFault): Promise<void>
  clearFaults(): Promise<void>
  emails(query?: EmailQuery): Promise<ControlEmail[]>
  clearEmails(): Promise<void>
  /** Since the last reset, once all of them are recorded. */
  requests(): Promise<ControlRequest[]>
  clearRequests(): Promise<void>
}

/**
 * Connects to a server that was started with `--control`. Nothing is sent before the first call.
 *
 * @param url of the server, or `CONTROL_URL` of the environment of `--exec`
 * @throws TypeError when the URL is missing or cannot be parsed
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
      const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
      return (await send<{ mails: ControlEmail[] }>('GET', `mail?${new URLSearchParams(given)}`)).mails
    },
    clearEmails: () => send('DELETE', 'mail'),
    requests: async () => (await send<{ requests: ControlRequest[] }>('GET', 'requests')).requests,
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
