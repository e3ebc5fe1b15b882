import type { ExchangeReading } from './reading/reading.ts'

/** Responses in which HTTP leaves out the body, or a part of it, whatever the interface says. */
const partial: Readonly<Record<number, string>> = {
  206: '206: the response is only a part of the body',
  304: '304: the body is in the cache of the client, and not in the response',
}

/** What a response does not show, although its body was read. */
export interface UnseenBody {
  /** Why its body is not validated. */
  why: string
  /** Whether its status, too, says nothing about the interface. */
  isOfHttp: boolean
}

/**
 * Which responses show no body of the interface. Gateways, caches and browsers produce them, and recordings contain
 * them: they neither conform nor violate anything. A redirect is different: the profile lists the statuses that an
 * operation may have.
 */
export function unseenBody({ status, text, body }: ExchangeReading): UnseenBody | undefined {
  if (status < 200) return { why: `${status}: another response follows`, isOfHttp: true }
  const why = partial[status]
  // A server may return a page of a list with 206: its body is complete then.
  const isWhole = status === 206 && body !== undefined
  if (why !== undefined && !isWhole) return { why, isOfHttp: true }
  const isEmpty = text === undefined ? body === undefined : text === ''
  if (status < 300 || status >= 400 || !isEmpty) return undefined
  return { why: `${status}: a redirect without a body`, isOfHttp: false }
}
