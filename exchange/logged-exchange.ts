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
  /** Id of the requirement. */
  requirement: string
  /** RFC 2119 keyword of the requirement. */
  level: Level
  /** What the violation counts as. */
  status: 'fail' | 'warn' | 'observed'
  /** The requirement in words. */
  statement: string
  /** JSONPath of the value in the body. */
  path: string
  /** What the requirement expects there. */
  expected: string
  /** What was there. */
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
  /** Why it was rejected, or what of it had no effect, line by line, where the response does not reveal it. */
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
