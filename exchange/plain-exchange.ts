/**
 * One request with its response as plain data, as it was sent and as it came: what users give to the validator, and what
 * recordings hold.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

/** Header names in any case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>

/** What was asked. `body` as it was sent: text, bytes, a form, or the value that became JSON. */
export interface RequestFacts {
  method?: string | undefined
  /** Absolute, or from the host on. */
  url: string
  headers?: HeaderBag | undefined
  body?: unknown
}

/** What came back. `body` as text or bytes, or already parsed. */
export interface ResponseFacts {
  status: number
  headers?: HeaderBag | undefined
  body?: unknown
}

/** One request with its response, as plain data. */
export interface PlainExchange {
  request: RequestFacts
  response: ResponseFacts
  /** Where the request does not tell it. */
  operation?: OperationId | undefined
  /** Why the body is not here, where a recording has left it out: then the status alone is judged. */
  unjudged?: string
}

/** What a caller adds where a response does not know its own request: a Playwright response has no method. */
export type KnownRequest = Partial<RequestFacts> & { operation?: OperationId }
