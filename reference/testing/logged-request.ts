import type { RequestLine } from './operation-of.ts'

/** One request with its answer. */
export interface LoggedRequest extends RequestLine {
  /** Counted from 1; never used again, also not after `clear`. */
  readonly number: number
  /** Address as it was requested. */
  readonly url: string
  /** First value of each query parameter, as the operations read it: a pair with a `;` is dropped. */
  readonly query: Readonly<Record<string, string>>
  /** Headers of the request, secrets included. */
  readonly requestHeaders: Headers
  /** Headers of the response. Undefined while there is none. */
  readonly responseHeaders: Headers | undefined
  /** Absent while it is under way, and when the connection was dropped. */
  readonly status: number | undefined
  /** When it came, by the reference's clock: milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds until the answer, in real time. */
  readonly took: number | undefined
  /** As text; undefined when the server did not read it. */
  readonly requestText: string | undefined
  /** JSON as a value, anything else as text. */
  readonly requestBody: unknown
  /** As text; undefined while there is no response, and for binary bodies. */
  readonly responseText: string | undefined
  /** JSON as a value, anything else as text. */
  readonly responseBody: unknown
  /** Why it was rejected, line by line: what the response does not say. Undefined when the response says it all. */
  readonly reason: readonly string[] | undefined
  /** What a fault on demand did to it. */
  readonly fault: string | undefined
  /** Bytes that it keeps in memory, roughly: address, headers and bodies. */
  readonly size: number
}
