/**
 * What a socket knows of a request before anything reads it. Asking the `Request` would first create its native headers
 * or its body, which takes longer than to respond.
 *
 * @module
 */

export interface RequestHead {
  /** The head announces no body (RFC 9112, section 6.3). */
  readonly bodiless: boolean
  /** Characters of the names and values of its headers. */
  readonly size: number
  /** Names and values in the order of arrival. A repeated header is listed each time: `Headers` joins its values. */
  fields(): Iterable<[name: string, value: string]>
}

const heads = new WeakMap<Request, RequestHead>()

export function noteHead(request: Request, head: RequestHead): void {
  heads.set(request, head)
}

/** Undefined for a request that did not come through a socket, or that something replaced on the way. */
export function headOf(request: Request): RequestHead | undefined {
  return heads.get(request)
}
