/**
 * Which exchanges of a run an example consists of. Next to the deciding exchange of a failed run stands that of the same
 * request in a passing run, if there is one.
 *
 * @module
 */

import type { Exchange } from '../../../exchange/exchange.ts'
import type { Finding } from '../../../harness/vocabulary/finding.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'

/** The last exchange of a failed finding, unless it names the response of an earlier one as the one that is wrong. */
export function decidingOf({ received = '', exchanges }: Pick<Finding, 'received' | 'exchanges'>) {
  const [, status, body = ''] = /^(\d{3})(?: ([\s\S]{0,60}))?/.exec(received) ?? []
  const named = exchanges.findLast(
    ({ response }) => String(response?.status) === status && response?.body.startsWith(body.trimEnd()),
  )
  return named ?? exchanges.at(-1)
}

/**
 * @param deciding the last exchange of the failed finding
 * @param failed all exchanges of the failed run
 * @param passed all exchanges of the passing run
 * @param operations of the requirement
 */
export function twinOf(
  deciding: Exchange | undefined,
  failed: readonly Exchange[],
  passed: readonly Exchange[],
  operations: readonly OperationId[],
): Exchange | undefined {
  const completed = passed.filter(({ response }) => response !== undefined)
  if (deciding !== undefined) {
    for (const alike of [requestOf, addressOf]) {
      const same = completed.filter((each) => alike(each) === alike(deciding))
      const before = failed.filter(
        (each) => alike(each) === alike(deciding) && each.number < deciding.number,
      ).length
      const twin = same[before] ?? same.at(-1)
      if (twin !== undefined) return twin
    }
  }
  const isOf = ({ operation }: Exchange) => operation !== undefined && operations.includes(operation)
  const asDeciding = ({ operation }: Exchange) => operation !== undefined && operation === deciding?.operation
  return completed.findLast(asDeciding) ?? completed.findLast(isOf) ?? completed.at(-1)
}

/** The exchange that made the state which the deciding one shows, if that is what the requirement is about. */
export function writeBefore(
  deciding: Exchange | undefined,
  exchanges: readonly Exchange[],
  operations: readonly OperationId[],
): Exchange | undefined {
  if (deciding === undefined || deciding.request.method !== 'GET') return undefined
  return exchanges.findLast(
    ({ number, operation, request }) =>
      number < deciding.number &&
      request.method !== 'GET' &&
      operation !== undefined &&
      operations.includes(operation),
  )
}

/** Method, address and body, without what each run makes up. */
function requestOf({ request }: Exchange): string {
  return `${request.method} ${plain(request.url)} ${plain(request.body)}`
}

/** Method and path, without what each run makes up. */
function addressOf({ request }: Exchange): string {
  return `${request.method} ${plain(request.url.replace(/\?.*/, ''))}`
}

/** Ids and marks are other ones in each run. */
function plain(text: string): string {
  return text.replace(/\b(?=\w*\d)[a-z0-9]{8,}\b/g, '#')
}
