/**
 * The logged form of one request with its response.
 *
 * @module
 */

import type { Level, OperationId } from '../spec/vocabulary.ts'

export interface LoggedMessage {
  headers: Record<string, string>
  /** Cut, and without secrets. Absent if there is none, or if it is not text. */
  body?: string
  /** Bytes. */
  size?: number
}

/** A request with its secrets, for the server to send again. */
export interface OriginalRequest {
  method: string
  /** The whole address. */
  url: string
  headers: [name: string, value: string][]
  body?: string
}

/** A requirement that a response violates. */
export interface LoggedFinding {
  requirement: string
  level: Level
  status: 'fail' | 'warn' | 'observed'
  statement: string
  path: string
  expected: string
  received: string
}

export interface LoggedExchange {
  id: number
  /** ISO 8601, by the server's clock. */
  at: string
  method: string
  /** Path and query. */
  path: string
  operation?: OperationId
  /** `anonymous`, `members/abc`, `key abc`. */
  caller: string
  /** 0 when the connection was dropped. */
  status: number
  /** Milliseconds, to the tenth. */
  duration: number
  /** Why it was rejected, line by line, where the response does not reveal it. */
  reason?: readonly string[]
  /** The fault that was applied to it. */
  fault?: string
  request: LoggedMessage
  response: LoggedMessage
  /** Absent until it is validated, and for requests that match no operation of the interface. */
  findings?: LoggedFinding[]
}

/** The part that a list shows. */
export type ExchangeSummary = Omit<LoggedExchange, 'request' | 'response'>

export function summaryOf({
  request: _request,
  response: _response,
  ...summary
}: LoggedExchange): ExchangeSummary {
  return summary
}

/** A request as one line of a log, with the reason for its rejection below. */
export function logLines({
  at,
  method,
  path,
  status,
  duration,
  caller,
  fault,
  reason,
}: LoggedExchange): string {
  const outcome = `${status || 'dropped'}${fault === undefined ? '' : ` (${fault})`}`
  const first = `${at}  ${method} ${path}  ${outcome}  ${duration} ms  ${caller}`
  return [first, ...(reason ?? []).map((line) => `    ${line}`)].join('\n')
}
