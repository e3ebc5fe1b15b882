/**
 * Finds the findings that only follow from another: a requirement that depends on a failed one is blocked, and says nothing
 * new.
 *
 * @module
 */

import type { Finding } from '../vocabulary/finding.ts'

/**
 * Ids of the blocked findings, by the finding that blocks them, through any number of blocked ones in between. Pure.
 *
 * @returns in the order of the findings
 */
export function followersOf(findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(findings.map((finding) => [finding.requirement, finding]))
  const followers = new Map<string, string[]>()
  for (const { requirement, status, blockedBy } of findings) {
    if (status !== 'blocked' || blockedBy === undefined) continue
    const cause = causeOf(blockedBy, byId)
    followers.set(cause, [...(followers.get(cause) ?? []), requirement])
  }
  return followers
}

/** The first in the chain that is not blocked itself. A report from another program may have a cycle. */
function causeOf(id: string, byId: ReadonlyMap<string, Finding>): string {
  const passed = new Set<string>()
  let cause = id
  while (!passed.has(cause)) {
    passed.add(cause)
    const { status, blockedBy } = byId.get(cause) ?? {}
    if (status !== 'blocked' || blockedBy === undefined) break
    cause = blockedBy
  }
  return cause
}
