/**
 * One request with its response in the log of a server, for people: as the console, the control endpoints and
 * `conformance serve --log` show it.
 *
 * @module
 */

import type { Level, OperationId } from '../spec/vocabulary.ts'

/** Headers and body of a request or a response. */
export interface LoggedMessage {
  /** Values by name, in lower case. Without secrets. */
  headers: Record<string, string>
  /** Cut, and without secrets. Absent if there is none, or if it is not text. */
  body?: string
  /** Bytes. Absent if there is no body. */
  size?: number
}

/** A requirement that a response violates. */
export interface LoggedFinding {
  /** Id of the requirement: `list.total-pages`. */
  requirement: string
  /** How strict the requirement is. */
  level: Level
  /** `fail` counts. `warn`: a SHOULD, counts when strict. `observed`: the profile is not claimed. */
  status: 'fail' | 'warn' | 'observed'
  /** What the requirement says. */
  statement: string
  /** JSON path in the response's body, `$.items[0].created`; `$` for the whole. */
  path: string
  /** What the requirement expects there, as text. */
  expected: string
  /** What was received there, as text. */
  received: string
}

/** A request that the server received, with its response. */
export interface LoggedExchange {
  /** Number, counted from the first request. */
  id: number
  /** Time in ISO 8601, by the server's clock. */
  at: string
  /** HTTP method. */
  method: string
  /** Path with its query. */
  path: string
  /** Operation of the interface. Absent: none. */
  operation?: OperationId
  /** Who sent it: `anonymous`, `anonymous (the token expired at …)`, `members/abc`, `key abc`. */
  caller: string
  /** Status of the response. 0 when the connection was dropped. */
  status: number
  /** Milliseconds, to the tenth. */
  duration: number
  /**
   * Why it was rejected, or what was probably a mistake in an accepted request, as lines. Absent if the response
   * reveals it.
   */
  reason?: readonly string[]
  /** The fault that was applied to it. */
  fault?: string
  /** What was sent. */
  request: LoggedMessage
  /** What came back. */
  response: LoggedMessage
  /** What the response violates. Absent until it is validated, and for requests that match no operation. */
  findings?: LoggedFinding[]
}

/** A request in the log, with what repeats it. */
export interface RepeatableRequest extends LoggedExchange {
  /** The curl command. Secrets are shell variables, such as `$TOKEN`. */
  curl: string
}
