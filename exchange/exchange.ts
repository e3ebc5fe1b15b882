/**
 * One request with its response, as every report shows it. Nothing here does anything: read it first.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

/** Most of a body that a report carries: characters of a text, or bytes. */
export const longestShown = 4_096

/** Headers and body of a request or a response, as reports show them. */
export interface RecordedMessage {
  /** Headers by lower-case name. Secrets are replaced. */
  headers: Record<string, string>
  /** Text of the body, cut at a length that a report can carry. Secrets are replaced. */
  body: string
  /** Length of the whole body in bytes. */
  bytes: number
}

/** One request with its response, redacted when it was recorded. */
export interface Exchange {
  /** Position among the requests to its server, from 1. */
  number: number
  /** Operation of the interface. Absent where the request matches none. */
  operation?: OperationId
  /** Who asked: `guest`, `superuser`, `user`, ... */
  actor: string
  /** The request, as it was sent. */
  request: RecordedMessage & {
    /** HTTP method in capitals. */
    method: string
    /** Path and query, or the whole address. */
    url: string
    /** A small body that is no text, or a form: its bytes, a character each, secrets replaced. */
    octets?: string
  }
  /** The response. Absent when the connection failed. */
  response?: RecordedMessage & {
    /** HTTP status. */
    status: number
  }
  /** Milliseconds from the request to the end of the response. */
  ms: number
}
