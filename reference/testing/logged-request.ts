import type { RequestLine } from './request-line.ts'

/** One request with its response. */
export interface LoggedRequest extends RequestLine {
  /** Counted from 1; never reused, even after `clear`. */
  readonly number: number
  /** URL as it was requested. */
  readonly url: string
  /** First value of each query parameter, as the operations read it: a pair with a `;` is dropped. */
  readonly query: Readonly<Record<string, string>>
  /** Headers of the request, secrets included. */
  readonly requestHeaders: Headers
  /** Headers of the response. Undefined until there is one. */
  readonly responseHeaders: Headers | undefined
  /** Absent until the response is sent, and if the connection was dropped. */
  readonly status: number | undefined
  /** Time of the request by the reference's clock: milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds until the response, in real time. */
  readonly took: number | undefined
  /** As text; undefined if the server did not read it. */
  readonly requestText: string | undefined
  /** JSON as a value, anything else as text. */
  readonly requestBody: unknown
  /** As text; undefined while there is no response, and for binary bodies. */
  readonly responseText: string | undefined
  /** JSON as a value, anything else as text. */
  readonly responseBody: unknown
  /**
   * Why its token is not valid, so that its caller is a guest: `the token expired at …`. Undefined for a valid token,
   * without a token, and for a path that has no operation.
   */
  readonly tokenFault: string | undefined
  /** Why it was rejected, or what of an accepted request was probably a mistake, line by line. Undefined if the response reveals it. */
  readonly reason: readonly string[] | undefined
  /** The fault that was applied to it. */
  readonly fault: string | undefined
  /** Approximate bytes in memory: URL, headers and bodies. */
  readonly size: number
}
