/**
 * What a body of traffic has shown: operations, their statuses, parameters and actors, and the requirements that were
 * validated on them. One collector serves any number of validators and integrations; collections of several processes can be
 * added up. A run of the suite counts in the same rows (`coverage/seen-rows.ts`).
 *
 * @module
 */

import { isHolder, isObject } from '../../exchange/json-object.ts'
import { countOf } from '../../spec/count-of.ts'
import { foundValue } from '../../spec/kind-name.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import { rangeOf } from '../../spec/status-range.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import {
  describedRange,
  describedResponse,
  knownRequirements,
  operationEntry,
  requirementsOf,
} from '../operation-entries.ts'
import { ActorsByToken } from './actors.ts'
import { type CoverageCount, type CoverageReport, coverageOf } from './coverage-report.ts'
import { seenExchange } from './seen-exchange.ts'
import { SeenRows } from './seen-rows.ts'
import type { WholeExchange } from './whole-exchange.ts'

/** The coverage of validated traffic: with how often something was seen. */
export interface TrafficCoverage extends CoverageReport {
  /** Responses that were validated. */
  exchanges: number
  /** Requests that match no operation. */
  unknown: number
  /** By operation and status, how many exchanges. */
  counts: Record<string, Record<string, number>>
  /** Requirements that were validated, and how often they were broken. */
  judged: Record<string, number>
}

const shares = ['operations', 'statuses', 'parameters', 'actors', 'requirements'] as const

/** Lowest percentages that a coverage must reach, from 0 to 100. */
export interface CoverageFloor {
  /** Percentage of the operations. @default none */
  operations?: number | undefined
  /** Percentage of the described statuses of the operations. @default none */
  statuses?: number | undefined
  /** Percentage of the described parameters of the operations. @default none */
  parameters?: number | undefined
  /** Percentage of the kinds of senders of the operations. @default none */
  actors?: number | undefined
  /** Percentage of the requirements that a validator can see. @default none */
  requirements?: number | undefined
}

/** Collects what validators have seen. */
export interface Coverage {
  /**
   * Called by validators.
   *
   * @param exchange undefined if the request matches no operation
   */
  record(exchange: WholeExchange | undefined, judged?: Iterable<string>, broken?: Iterable<string>): void
  /** What was seen so far. */
  report(): TrafficCoverage
  /**
   * Adds the report of another collector, for example of another process.
   *
   * @throws TypeError if it is not one
   */
  merge(other: TrafficCoverage): void
  /**
   * What is below its floor, in words; empty when nothing is.
   *
   * @throws TypeError for an unknown key, or a number that is not a percentage
   */
  below(floor: CoverageFloor): string[]
}

/**
 * Creates a collector, for the option `coverage` of any number of validators.
 *
 * @example
 * ```ts
 * import { createCoverage, createValidator } from 'record-auth-conformance/validate'
 *
 * const coverage = createCoverage()
 * const validator = createValidator({ coverage })
 * validator.validate({
 *   request: { method: 'GET', url: '/api/v1/collections/notes/records' },
 *   response: { status: 404, headers: { 'content-type': 'application/json' }, body: '{}' },
 * })
 * console.log(coverage.below({ operations: 50 }))
 * ```
 */
export function createCoverage(): Coverage {
  const counts: Record<string, Record<string, number>> = {}
  const judgedIds = new Map<string, number>()
  const rows = new SeenRows()
  const actors = new ActorsByToken()
  let exchanges = 0
  let unknown = 0

  function count(operation: string, status: string, times: number): void {
    counts[operation] ??= {}
    const row = counts[operation]
    row[status] = (row[status] ?? 0) + times
  }

  function report(): TrafficCoverage {
    return {
      exchanges,
      unknown,
      ...coverageOf(rows.byOperation(), knownRequirements().length),
      counts: structuredClone(counts),
      judged: Object.fromEntries([...judgedIds].sort(([a], [b]) => (a < b ? -1 : 1))),
    }
  }

  return {
    record(exchange, judged = [], broken = []) {
      exchanges += 1
      if (exchange === undefined) {
        unknown += 1
        return
      }
      const { requirements } = rows.row(seenExchange(exchange, actors))
      count(exchange.operation, String(exchange.response.status), 1)
      for (const id of judged) {
        requirements.add(id)
        if (!judgedIds.has(id)) judgedIds.set(id, 0)
      }
      for (const id of broken) judgedIds.set(id, (judgedIds.get(id) ?? 0) + 1)
    },
    report,
    merge(other) {
      if (!isCoverage(other))
        throw new TypeError(
          'This is not the report of a coverage collector: pass what its report() returned.',
        )
      exchanges += other.exchanges
      unknown += other.unknown
      rows.add(other.seen)
      for (const [operation, statuses] of Object.entries(other.counts))
        for (const [status, times] of Object.entries(statuses)) count(operation, status, times)
      for (const [id, times] of Object.entries(other.judged))
        judgedIds.set(id, (judgedIds.get(id) ?? 0) + times)
    },
    below: (floor) => belowFloor(report(), floor),
  }
}

/** A typo would turn off the check. @throws TypeError */
function expectFloor(floor: CoverageFloor): void {
  rejectUnknown(floor, shares, 'share of the coverage')
  for (const what of shares) {
    const least: unknown = floor[what]
    if (least === undefined || (typeof least === 'number' && least >= 0 && least <= 100)) continue
    throw new TypeError(
      `The minimum of ${what} must be a percentage from 0 to 100; found ${foundValue(least)}.`,
    )
  }
}

/**
 * What is below its floor, in words; empty when nothing is.
 *
 * @throws TypeError for an unknown key, or a number that is not a percentage
 */
export function belowFloor(coverage: CoverageReport, floor: CoverageFloor): string[] {
  expectFloor(floor)
  return shares.flatMap((what) => {
    const least = floor[what]
    if (least === undefined || coverage[what].percent >= least) return []
    return [`${what}: ${describeCount(coverage[what])}, below ${least}%`]
  })
}

/**
 * The report for people.
 *
 * @example
 * ```ts
 * import { createCoverage, describeCoverage } from 'record-auth-conformance/validate'
 *
 * console.log(describeCoverage(createCoverage().report()))
 * ```
 */
export function describeCoverage(coverage: TrafficCoverage): string {
  const { exchanges, unknown, missing } = coverage
  const unused = missing.filter(({ whole }) => whole).map(({ operation }) => operation)
  return [
    `coverage of ${countOf(exchanges, 'exchange')}${unknown > 0 ? `, ${unknown} of them match no operation` : ''}`,
    ...shareLines(coverage),
    ...(unused.length > 0 ? [`  not used      ${unused.join(', ')}`] : []),
  ].join('\n')
}

/** How much of each part of the description was seen. */
export function shareLines(coverage: CoverageReport): string[] {
  return shares.map((what) => `  ${what.padEnd(12)}  ${describeCount(coverage[what])}`)
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

/** Whether a value has the keys that are added up. */
export function isCoverage(value: unknown): value is TrafficCoverage {
  if (!isObject(value)) return false
  const { exchanges, unknown, counts, judged, seen } = value
  if (typeof exchanges !== 'number' || typeof unknown !== 'number') return false
  return [counts, judged, seen, ...Object.values(counts ?? {})].every(isHolder)
}

function describeCount({ seen, total, percent }: CoverageCount): string {
  return `${seen} of ${total} (${percent}%)`
}
