/**
 * Finds failures with the same cause, as far as the responses show it. One defect of a server may fail the check that is
 * about it, and also checks that send derived requests.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Finding } from '../vocabulary/findings.ts'

/** Whether a requirement is checked with derived requests: the cause of its failure is usually something else. */
export function isDerived(requirement: string): boolean {
  return requirement.startsWith('derived.')
}

/** What is said of each failure that has the same cause as another one, by its requirement. Pure. */
export function sameCauses(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const failing = findings.filter(({ status }) => status === 'fail' || status === 'warn')
  const ids = new Set(failing.map(({ requirement }) => requirement))
  const byResponse = new Map<string, Finding>()
  for (const finding of failing) {
    const response = badResponse(finding.exchanges.at(-1))
    if (response !== undefined && !isDerived(finding.requirement) && !byResponse.has(response))
      byResponse.set(response, finding)
  }
  return new Map(
    failing.flatMap(({ requirement, breaks, exchanges }): [string, string][] => {
      if (breaks !== undefined && breaks !== requirement && ids.has(breaks))
        return [[requirement, `${breaks}: the response violates it, and that requirement fails too`]]
      if (!isDerived(requirement)) return []
      const last = exchanges.at(-1)
      const other = byResponse.get(badResponse(last) ?? '')
      return other === undefined
        ? []
        : [[requirement, `${other.requirement}, which fails with the same response to ${last?.operation}`]]
    }),
  )
}

/** Operation, status and body of a response that no request should get; undefined for others, which say less. */
function badResponse(exchange: Exchange | undefined): string | undefined {
  const { operation, response } = exchange ?? {}
  if (operation === undefined || response === undefined) return undefined
  const { status, body } = response
  // The body may be cut.
  const isJson = body === '' || /^\s*[[{]/.test(body)
  if (status < 500 && isJson) return undefined
  // Ids and times differ from one response to the next.
  return [operation, status, body.replace(/[\w-]*\d[\w-]*/g, '0')].join(' ')
}
