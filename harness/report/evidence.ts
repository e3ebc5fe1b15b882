/**
 * What a finding shows, as plain text: for formats that have one place for all of it.
 *
 * @module
 */

import type { Finding } from '../vocabulary/findings.ts'

/** Statement, fact, expected and received, the requests as curl lines, and the command that shows it again. */
export function evidence(finding: Finding): string {
  const { statement, message, expected, received, curl, replay, hint } = finding
  return [
    message,
    '',
    `${placeOf(finding)}: ${statement}`,
    ...(expected ? [`expected  ${expected}`] : []),
    ...(received ? [`received  ${received}`] : []),
    ...(hint ? [`next      ${hint}`] : []),
    ...curl.map((line) => `$ ${line}`),
    ...(replay === undefined ? [] : [`again     ${replay.command}`]),
  ].join('\n')
}

/** `section 2.4` or `gap list.paging`. */
export function placeOf({ basis, source }: Pick<Finding, 'basis' | 'source'>): string {
  return basis === 'profile' ? `gap ${source}` : `section ${source}`
}
