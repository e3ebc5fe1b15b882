/**
 * Known failures: a file that says which findings are accepted for now, and why. Pure.
 *
 * A finding that is listed stays in the report and is counted as known. What no longer fails, what has expired and what
 * is spelt wrong is a problem: a list that nobody tends would hide things.
 *
 * @module
 */

import { defined } from '../defined.ts'
import type { Finding, Status } from '../vocabulary/findings.ts'

/** Outcomes that can be known. The others never count against a target. */
export type KnownStatus = Extract<Status, 'fail' | 'warn' | 'blocked' | 'untestable'>

export interface KnownEntry {
  requirement: string
  /** Absent: whichever of the four. */
  status?: KnownStatus
  reason: string
  /** It comes and goes, as what two requests do to each other: the entry stays where the requirement passes. */
  sometimes?: boolean
  /** Where it is being dealt with. */
  issue?: string
  /** Last day on which the entry holds, `YYYY-MM-DD`. */
  expires?: string
}

export interface BaselineOutcome {
  findings: Finding[]
  /** What is wrong with the list, one sentence each. Any of them makes the verdict non-conformant. */
  problems: string[]
  known: number
}

export const knowable: readonly KnownStatus[] = ['fail', 'warn', 'blocked', 'untestable']

/**
 * Marks the findings that are known.
 *
 * @param today `YYYY-MM-DD`
 * @param selected whether the run was asked for a requirement: entries about others are left alone
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
    // Without a claim nothing of the profile is judged: the entry may still be true of a run with one.
    if (finding.status === 'observed') return finding
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
