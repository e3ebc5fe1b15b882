/**
 * One request with its response, as every report shows it. Nothing here does anything: read it first.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

/** Most of a body that a report carries: characters of a text, or bytes. */
export const longestShown = 4_096

export interface RecordedMessage {
  headers: Record<string, string>
  /** Text, cut at a length that a report can carry; `bytes` is the true length. Secrets are replaced. */
  body: string
  bytes: number
}

/** One request with its response, redacted when it was recorded. */
export interface Exchange {
  /** Position among the requests to its server, from 1. */
  number: number
  operation?: OperationId
  /** Who asked: `guest`, `superuser`, `user`, ... */
  actor: string
  request: RecordedMessage & {
    method: string
    url: string
    /** A small body that is no text, or a form: its bytes, a character each, secrets replaced. */
    octets?: string
  }
  /** Absent when the connection failed. */
  response?: RecordedMessage & { status: number }
  ms: number
}
