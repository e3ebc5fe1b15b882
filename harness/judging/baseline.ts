/**
 * Known failures: a file that says which findings are accepted for now, and why. Pure.
 *
 * A listed finding stays in the report and counts as known. Entries that no longer fail, have expired or are misspelled
 * are problems: an unmaintained list would hide failures.
 *
 * @module
 */

import { defined } from '../support/defined.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'

/**
 * Statuses that can be known. What is blocked or untestable was not judged: that it fails is not known, and the run stays
 * incomplete.
 */
export type KnownStatus = Extract<Status, 'fail' | 'warn'>

export interface KnownEntry {
  requirement: string
  /** Absent: either of the two. */
  status?: KnownStatus
  reason: string
  /** The failure is flaky, like a race between two requests: the entry stays even if the requirement passes. */
  sometimes?: boolean
  /** Address of the issue about it. */
  issue?: string
  /** Last day on which the entry is valid, `YYYY-MM-DD`. */
  expires?: string
}

export interface BaselineOutcome {
  findings: Finding[]
  /** Problems of the list, one sentence each. Any of them makes the verdict non-conformant. */
  problems: string[]
  known: number
}

export const knowable: readonly KnownStatus[] = ['fail', 'warn']

/** Statuses of requirements that were not judged in a run: an entry about one may still apply to other runs. */
export const unjudged: readonly Status[] = ['blocked', 'untestable']

/**
 * Marks the findings that are known.
 *
 * @param today `YYYY-MM-DD`
 * @param selected whether a requirement was selected: entries about others are ignored
 */
export function applyBaseline(
  findings: readonly Finding[],
  entries: readonly KnownEntry[],
  today: string,
  selected: (requirement: string) => boolean = () => true,
): BaselineOutcome {
  const byId = new Map(entries.map((entry) => [entry.requirement, entry]))
  const problems: string[] = []
  let known = 0
  const marked = findings.map((finding) => {
    const entry = byId.get(finding.requirement)
    if (entry === undefined) return finding
    byId.delete(finding.requirement)
    if (entry.sometimes === true && finding.status === 'pass') return finding
    // Without a claim, the profile is not judged: the entry may still apply to a run with a claim.
    if (finding.status === 'observed' || unjudged.includes(finding.status)) return finding
    const problem = problemOf(finding, entry, today)
    if (problem !== undefined) {
      problems.push(problem)
      return finding
    }
    known += 1
    const { reason, issue, expires } = entry
    return {
      ...finding,
      known: defined({ reason, issue, expires }),
    }
  })
  for (const id of byId.keys())
    if (selected(id)) problems.push(`${id} is listed as known, but was not checked: remove the entry`)
  return { findings: marked, problems, known }
}

function problemOf(finding: Finding, { status, expires }: KnownEntry, today: string): string | undefined {
  const { requirement } = finding
  if (finding.status === 'pass') return `${requirement} is listed as known, but passes: remove the entry`
  if (!(knowable as readonly Status[]).includes(finding.status))
    return `${requirement} is listed as known, but is ${finding.status}: remove the entry`
  if (status !== undefined && status !== finding.status)
    return `${requirement} is listed as ${status}, but is ${finding.status}: correct the entry`
  if (expires !== undefined && expires < today)
    return `${requirement} is listed as known until ${expires}: fix it, or set a later date`
  return undefined
}
