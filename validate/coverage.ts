/**
 * What a body of traffic has shown: operations, their statuses, and the requirements that were judged on them. One
 * collector serves any number of validators and surfaces; collections of several processes can be added up.
 *
 * @module
 */

import { rangeOf } from '../spec/status-range.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import {
  describedRange,
  describedResponse,
  knownRequirements,
  operationEntries,
  operationEntry,
  requirementsOf,
} from './compiled.ts'

export interface CoverageCount {
  seen: number
  total: number
  /** 0 to 100, one decimal. */
  percent: number
}

export interface CoverageReport {
  exchanges: number
  /** Requests that are none of the interface's. */
  unknown: number
  operations: CoverageCount
  /** Pairs of operation and described status. */
  statuses: CoverageCount
  requirements: CoverageCount
  /** By operation and status, how many exchanges. */
  counts: Record<string, Record<string, number>>
  /** Requirements that were judged, and how often they were broken. */
  judged: Record<string, number>
  /** Operations that no exchange has used. */
  missing: OperationId[]
}

export interface CoverageFloor {
  operations?: number
  statuses?: number
  requirements?: number
}

export interface Coverage {
  /** Called by validators. */
  record(
    operation: OperationId | undefined,
    status: number,
    judged: Iterable<string>,
    broken: Iterable<string>,
  ): void
  report(): CoverageReport
  /** Adds what another collector has reported. */
  merge(other: CoverageReport): void
  /** What is below its floor, in words; empty when nothing is. */
  below(floor: CoverageFloor): string[]
}

export function createCoverage(): Coverage {
  const counts: Record<string, Record<string, number>> = {}
  const judgedIds = new Map<string, number>()
  let exchanges = 0
  let unknown = 0

  function count(operation: string, status: string, times: number): void {
    counts[operation] ??= {}
    const row = counts[operation]
    row[status] = (row[status] ?? 0) + times
  }

  function report(): CoverageReport {
    const entries = operationEntries()
    const pairs = entries.flatMap(({ id, responses }) =>
      Object.keys(responses).map((status) => [id, status] as const),
    )
    const seenPairs = pairs.filter(([id, status]) => (counts[id]?.[status] ?? 0) > 0)
    return {
      exchanges,
      unknown,
      operations: share(entries.filter(({ id }) => counts[id] !== undefined).length, entries.length),
      statuses: share(seenPairs.length, pairs.length),
      requirements: share(judgedIds.size, knownRequirements().length),
      counts: structuredClone(counts),
      judged: Object.fromEntries([...judgedIds].sort(([a], [b]) => (a < b ? -1 : 1))),
      missing: entries.filter(({ id }) => counts[id] === undefined).map(({ id }) => id),
    }
  }

  return {
    record(operation, status, judged, broken) {
      exchanges += 1
      if (operation === undefined) {
        unknown += 1
        return
      }
      count(operation, String(status), 1)
      for (const id of judged) if (!judgedIds.has(id)) judgedIds.set(id, 0)
      for (const id of broken) judgedIds.set(id, (judgedIds.get(id) ?? 0) + 1)
    },
    report,
    merge(other) {
      exchanges += other.exchanges
      unknown += other.unknown
      for (const [operation, statuses] of Object.entries(other.counts))
        for (const [status, times] of Object.entries(statuses)) count(operation, status, times)
      for (const [id, times] of Object.entries(other.judged))
        judgedIds.set(id, (judgedIds.get(id) ?? 0) + times)
    },
    below(floor) {
      const now = report()
      return (['operations', 'statuses', 'requirements'] as const).flatMap((what) => {
        const least = floor[what]
        if (least === undefined || now[what].percent >= least) return []
        return [`${what}: ${describeCount(now[what])}, below ${least}%`]
      })
    },
  }
}

/** The report for people. */
export function describeCoverage({
  exchanges,
  unknown,
  operations,
  statuses,
  requirements,
  missing,
}: CoverageReport): string {
  return [
    `coverage of ${exchanges} exchanges${unknown > 0 ? `, ${unknown} of them match no operation` : ''}`,
    `  operations    ${describeCount(operations)}`,
    `  statuses      ${describeCount(statuses)}`,
    `  requirements  ${describeCount(requirements)}`,
    ...(missing.length > 0 ? [`  not used      ${missing.join(', ')}`] : []),
  ].join('\n')
}

const ofSchema = new Map<string, ReadonlySet<string>>()

/** Requirements that the schema of a response speaks of. */
export function requirementsInSchema(operation: OperationId, status: number): ReadonlySet<string> {
  const entry = operationEntry(operation)
  const key = `${operation} ${entry.responses[status] === undefined ? rangeOf(status) : status}`
  const kept = ofSchema.get(key)
  if (kept !== undefined) return kept
  const described = describedResponse(entry, status, false) ?? describedRange(entry, status, false)
  const found = described?.schema === undefined ? new Set<string>() : requirementsOf(described.schema.schema)
  ofSchema.set(key, found)
  return found
}

function share(seen: number, total: number): CoverageCount {
  return { seen, total, percent: total === 0 ? 100 : Math.floor((seen / total) * 1000) / 10 }
}

function describeCount({ seen, total, percent }: CoverageCount): string {
  return `${seen} of ${total} (${percent}%)`
}
