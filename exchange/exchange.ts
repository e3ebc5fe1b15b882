/**
 * One request with its response, as every report shows it. Read this file first.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

/** Maximum length of a body in a report, in characters or bytes. */
export const longestShown = 4_096

/** Headers and body of a request or a response, as reports show them. */
export interface RecordedMessage {
  /** Headers by lower-case name. Secrets are replaced. */
  headers: Record<string, string>
  /** The body as a string, truncated to the maximum length in a report. Secrets are replaced. */
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
  /** The actor that sent the request: `guest`, `superuser`, `user`, ... */
  actor: string
  /** The request, as it was sent. */
  request: RecordedMessage & {
    /** HTTP method in capitals. */
    method: string
    /** Path and query, or the whole address. */
    url: string
    /** A small body that is binary or a form: its bytes, one character per byte. Secrets are replaced. */
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
