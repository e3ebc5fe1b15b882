/**
 * A logged exchange without its messages: as an entry of a list, and as lines of a log.
 *
 * @module
 */

import type { LoggedExchange } from '../exchange/logged-exchange.ts'

/** The part that a list shows. */
export type ExchangeSummary = Omit<LoggedExchange, 'request' | 'response'>

export function summaryOf({
  request: _request,
  response: _response,
  ...summary
}: LoggedExchange): ExchangeSummary {
  return summary
}

/** A request as one line of a log, with its reason below. */
export function logLines({
  at,
  method,
  path,
  status,
  duration,
  caller,
  fault,
  reason,
}: LoggedExchange): string {
  const outcome = `${status || 'dropped'}${fault === undefined ? '' : ` (${fault})`}`
  const first = `${at}  ${method} ${path}  ${outcome}  ${duration} ms  ${caller}`
  return [first, ...(reason ?? []).map((line) => `    ${line}`)].join('\n')
}
