/**
 * One request with its response as plain data, as it was sent and as it came: what users give to the validator, and what
 * recordings hold.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

/** Header names in any case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request, as far as it is known. */
export interface RequestFacts {
  /** HTTP method in capitals. */
  method?: string | undefined
  /** Absolute, or from the host on. */
  url: string
  /** Headers that were sent. */
  headers?: HeaderBag | undefined
  /** Body as it was sent: text, bytes, a form, or the value that became JSON. */
  body?: unknown
}

/** A response. */
export interface ResponseFacts {
  /** HTTP status. */
  status: number
  /** Headers that were received. */
  headers?: HeaderBag | undefined
  /** Body as text or bytes, or already parsed. */
  body?: unknown
}

/** One request with its response, as plain data. */
export interface PlainExchange {
  /** What was sent. */
  request: RequestFacts
  /** What came back. */
  response: ResponseFacts
  /** Operation of the interface, where method and path do not tell it. */
  operation?: OperationId | undefined
  /** Why the body is not here, where a recording has left it out: then the status alone is judged. */
  unjudged?: string
}

/** What a caller adds where a response does not know its own request: a Playwright response has no method. */
export type KnownRequest = Partial<RequestFacts> & {
  /** Operation of the interface. */
  operation?: OperationId
}
