/**
 * One request with its response as plain data, unredacted: the input of the validator and the content of recordings.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'

/** Header names in any case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request, as far as it is known. */
export interface RequestFacts {
  /** HTTP method in capitals. @default assumed: GET, or the method of `operation` */
  method?: string | undefined
  /** Absolute URL, or path and query. */
  url: string
  /** Headers that were sent. @default none */
  headers?: HeaderBag | undefined
  /** Body as it was sent: string, bytes, a form, or the value that was serialized as JSON. @default none */
  body?: unknown
}

/** A response. */
export interface ResponseFacts {
  /** HTTP status. */
  status: number
  /** Headers that were received. @default none */
  headers?: HeaderBag | undefined
  /** Body as a string or bytes, or already parsed. @default empty */
  body?: unknown
}

/** One request with its response, as plain data. */
export interface PlainExchange {
  /** The request. */
  request: RequestFacts
  /** The response. */
  response: ResponseFacts
  /** Operation of the interface, if it does not follow from method and path. @default derived from method and path */
  operation?: OperationId | undefined
  /** Why the body is missing, if a recording omits it. Then only the status is checked. @default the body is present */
  unjudged?: string
}

/**
 * What the caller adds if a response does not contain its request: a Playwright response has no method, for example.
 */
export type KnownRequest = Partial<RequestFacts> & {
  /** Operation of the interface. */
  operation?: OperationId
}
