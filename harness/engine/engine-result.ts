/**
 * Merges the messages of a run's workers as if one worker had run everything. Pure.
 *
 * @module
 */

import { type RowsByOperation, SeenRows } from '../../validate/coverage/seen-rows.ts'
import { isOverruled } from '../judging/is-overruled.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { Leftover, OtherViolation, RunError, Smoke, Unlisted } from '../vocabulary/report.ts'
import { type ConnectionCounts, sumOfConnections } from '../wire/connection-log.ts'
import type { SentKind } from '../wire/request-count.ts'
import type { RateLimitCounts } from '../wire/transport.ts'

export interface EngineResult {
  findings: Finding[]
  errors: RunError[]
  leftovers: Leftover[]
  foreign: Leftover[]
  unlisted: Unlisted[]
  /** Why the journal is incomplete. Absent: it is complete. */
  journalError?: string | undefined
  otherViolations: OtherViolation[]
  smoke?: Smoke
  requests: number
  stopped: boolean
  /** From the workers that finished. */
  coverage: RowsByOperation
  sent?: Record<SentKind, number>
  connections?: ConnectionCounts
  rateLimit?: RateLimitCounts
}

/** The result of one worker. */
export interface EnginePart extends EngineResult {
  /** Whether it finished. */
  whole: boolean
  /** Findings that its traffic changes, of its own checks or another worker's. */
  late: Finding[]
}

export function nothingYet(): EnginePart {
  return {
    findings: [],
    errors: [],
    leftovers: [],
    foreign: [],
    unlisted: [],
    otherViolations: [],
    late: [],
    coverage: {},
    requests: 0,
    stopped: false,
    whole: false,
  }
}

/** One result of all workers: in the order of the assignments, whichever worker was faster. */
export function together(parts: readonly EnginePart[]): EngineResult {
  const findings = parts.flatMap((part) => part.findings)
  const late = parts.flatMap((part) => part.late)
  const known = new Set(findings.map(({ requirement }) => requirement))
  const otherViolations = new Map<string, OtherViolation>()
  for (const seen of parts.flatMap((part) => part.otherViolations))
    if (!known.has(seen.requirement) && !otherViolations.has(seen.requirement))
      otherViolations.set(seen.requirement, seen)
  const unlisted = new Map(parts.flatMap((part) => part.unlisted).map((each) => [each.table, each]))
  const sent = parts.flatMap((part) => part.sent ?? [])
  return {
    findings: withLate(findings, late),
    errors: parts.flatMap(({ errors }) => errors),
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
    foreign: parts.flatMap(({ foreign }) => foreign),
    unlisted: [...unlisted.values()],
    journalError: parts.find((part) => part.journalError !== undefined)?.journalError,
    otherViolations: [...otherViolations.values()],
    coverage: rowsTogether(parts.map(({ coverage }) => coverage)),
    requests: parts.reduce((sum, { requests }) => sum + requests, 0),
    stopped: parts.some(({ stopped }) => stopped),
    smoke: parts[0]?.smoke,
    connections: sumOfConnections(parts.flatMap((part) => part.connections ?? [])),
    rateLimit: sumOfRateLimits(parts.flatMap((part) => part.rateLimit ?? [])),
    sent: sent.length === 0 ? undefined : sent.reduce(sumOfSent),
  }
}

/** A part does not know the results of another part's checks: they are looked up here. */
function withLate(findings: readonly Finding[], late: readonly Finding[]): Finding[] {
  const changed = new Map<string, Finding>()
  for (const finding of late) if (!changed.has(finding.requirement)) changed.set(finding.requirement, finding)
  return findings.map((finding) => {
    const other = changed.get(finding.requirement)
    if (other === undefined || !isOverruled(finding)) return finding
    return { ...other, requests: finding.requests, ms: finding.ms }
  })
}

/** What several sessions have sent and seen. */
export function rowsTogether(all: readonly RowsByOperation[]): RowsByOperation {
  const rows = new SeenRows()
  for (const each of all) rows.add(each)
  return rows.byOperation()
}

/** What rate limits cost several sessions. Those of concurrent checks may have waited at the same time. */
export function sumOfRateLimits(all: readonly RateLimitCounts[]): RateLimitCounts | undefined {
  if (all.length === 0) return undefined
  return {
    rejected: all.reduce((sum, { rejected }) => sum + rejected, 0),
    operations: all.reduce<Record<string, number>>((sums, { operations }) => {
      for (const [name, count] of Object.entries(operations)) sums[name] = (sums[name] ?? 0) + count
      return sums
    }, {}),
    waitedMs: all.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
  }
}

/** Requests of two sessions by effect. */
export function sumOfSent(
  one: Record<SentKind, number>,
  other: Record<SentKind, number>,
): Record<SentKind, number> {
  return {
    reads: one.reads + other.reads,
    signIns: one.signIns + other.signIns,
    writes: one.writes + other.writes,
  }
}
