/**
 * What is kept of one request and its answer.
 *
 * @module
 */

import type { Level, OperationId } from '../spec/vocabulary.ts'

export interface LoggedMessage {
  headers: Record<string, string>
  /** Cut, and without secrets. Absent where there is none, or where it is no text. */
  body?: string
  /** Bytes. */
  size?: number
}

/** What a response breaks. */
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
  /** From the host on. */
  path: string
  operation?: OperationId
  /** `anonymous`, `members/abc`, `key abc`. */
  caller: string
  /** 0 when the connection was dropped. */
  status: number
  /** Milliseconds, to the tenth. */
  duration: number
  /** Why it was rejected, line by line: what the response does not say. */
  reason?: readonly string[]
  /** What was done to it on demand. */
  fault?: string
  request: LoggedMessage
  response: LoggedMessage
  /** Absent until it was judged, and for requests that are none of the interface's. */
  findings?: LoggedFinding[]
}

/** What a list shows of it. */
export type ExchangeSummary = Omit<LoggedExchange, 'request' | 'response'>

export function summaryOf({
  request: _request,
  response: _response,
  ...summary
}: LoggedExchange): ExchangeSummary {
  return summary
}

/** A request as one line of a log, with why it was rejected below it. */
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
