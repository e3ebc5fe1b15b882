/**
 * Finds failures with the same cause, as far as the responses show it. One defect of a server may fail the check that is
 * about it, and also checks that send derived requests.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Finding } from '../vocabulary/finding.ts'

/** Whether a requirement is checked with derived requests: the cause of its failure is usually something else. */
export function isDerived(requirement: string): boolean {
  return requirement.startsWith('derived.')
}

/** Another failure that has the same cause. */
export interface Cause {
  /** Its requirement. */
  requirement: string
  /** What shows it, for the reader: begins with the requirement. */
  text: string
}

/** If it fails, requirements about the identifiers of tables in other operations fail too. */
const byId = 'table.by-id'

/** The failure that is to be fixed instead, by the requirement of each that has the same cause. Pure. */
export function sameCauses(findings: readonly Finding[]): ReadonlyMap<string, Cause> {
  const failing = findings.filter(({ status }) => status === 'fail' || status === 'warn')
  const ids = new Set(failing.map(({ requirement }) => requirement))
  const byResponse = new Map<string, Finding>()
  const notJson = new Map<string, Finding>()
  for (const finding of failing) {
    const response = badResponse(finding.exchanges.at(-1))
    if (response !== undefined && !isDerived(finding.requirement) && !byResponse.has(response))
      byResponse.set(response, finding)
    const deciding = notJsonIn(finding)
    if (deciding !== undefined && !notJson.has(deciding)) notJson.set(deciding, finding)
  }
  return new Map(
    failing.flatMap((finding): [string, Cause][] => {
      const { requirement, breaks, exchanges } = finding
      const because = (other: string, shows: string): [string, Cause][] => [
        [requirement, { requirement: other, text: `${other}${shows}` }],
      ]
      if (breaks !== undefined && breaks !== requirement && ids.has(breaks))
        return because(breaks, ': the response violates it, and that requirement fails too')
      if (requirement.endsWith('.table-by-id') && ids.has(byId))
        return because(byId, ', which fails too: a table is not found by its identifier')
      const first = notJson.get(notJsonIn(finding) ?? '')
      if (first !== undefined && first !== finding)
        return because(first.requirement, ', which the same response violates')
      if (!isDerived(requirement)) return []
      const last = exchanges.at(-1)
      const other = byResponse.get(badResponse(last) ?? '')
      return other === undefined
        ? []
        : because(other.requirement, `, which fails with the same response to ${last?.operation}`)
    }),
  )
}

/** The deciding exchange of a body that is not JSON: it violates more than one requirement. */
function notJsonIn({ requirement, exchanges }: Finding): string | undefined {
  const last = exchanges.at(-1)
  if (!/^wire\.json-/.test(requirement) || last === undefined) return undefined
  const { method, url } = last.request
  return [method, url, last.response?.status, last.response?.body].join(' ')
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
  return [operation, status, body.replace(/(?<![\w-])[\w-]*\d[\w-]*/g, '0')].join(' ')
}
