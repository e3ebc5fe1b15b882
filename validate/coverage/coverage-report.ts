/**
 * Which parts of the description were seen and which were not: a pure function of rows.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import { type OperationEntry, operationEntries } from '../operation-entries.ts'
import { owedStatuses } from './owed-statuses.ts'
import type { RowsByOperation, SeenRow } from './seen-rows.ts'

/** How much of something was seen. */
export interface CoverageCount {
  /** How many of them were seen. */
  seen: number
  /** How many there are. */
  total: number
  /** 0 to 100, one decimal. */
  percent: number
}

/** The parts of one operation that were never seen. */
export interface MissingParts {
  /** The operation. */
  operation: OperationId
  /** Set if no request of it was seen: everything is missing. */
  whole?: true
  /** Statuses that no response had. */
  statuses: string[]
  /** Parameters that no request had, by the names of `SeenRow.parameters`. */
  parameters: string[]
  /** Kinds of senders that sent no request. */
  actors: string[]
}

/** How much of the description was seen. */
export interface CoverageReport {
  /** Operations. */
  operations: CoverageCount
  /** Pairs of an operation and a described status. */
  statuses: CoverageCount
  /** Pairs of an operation and a described parameter. */
  parameters: CoverageCount
  /** Pairs of an operation and a kind of sender. */
  actors: CoverageCount
  /** Requirements that responses were validated against. */
  requirements: CoverageCount
  /** What was seen, by operation. */
  seen: RowsByOperation
  /** What is described and was never seen, by operation. Operations that were seen completely are omitted. */
  missing: MissingParts[]
}

/** @param requirements number of requirements that can be seen */
export function coverageOf(seen: RowsByOperation, requirements: number): CoverageReport {
  const all = operationEntries().map((entry) => ({ entry, rows: seen[entry.id] ?? [] }))
  const missing = all.map(({ entry, rows }) => missingOf(entry, rows))
  const owed = (what: (entry: OperationEntry) => readonly string[]) =>
    all.reduce((sum, { entry }) => sum + what(entry).length, 0)
  const lacking = (what: 'statuses' | 'parameters' | 'actors') =>
    missing.reduce((sum, each) => sum + each[what].length, 0)
  const counted = (total: number, absent: number) => share(total - absent, total)
  return {
    operations: counted(all.length, missing.filter(({ whole }) => whole).length),
    statuses: counted(owed(owedStatuses), lacking('statuses')),
    parameters: counted(
      owed(({ parameters }) => parameters),
      lacking('parameters'),
    ),
    actors: counted(
      owed(({ actors }) => actors),
      lacking('actors'),
    ),
    requirements: share(requirementsIn(seen).size, requirements),
    seen,
    missing: missing.filter(
      ({ statuses, parameters, actors }) => statuses.length + parameters.length + actors.length > 0,
    ),
  }
}

function requirementsIn(seen: RowsByOperation): Set<string> {
  return new Set(Object.values(seen).flatMap((rows) => rows.flatMap((row) => row.requirements)))
}

function missingOf(entry: OperationEntry, rows: readonly SeenRow[]): MissingParts {
  const statuses = new Set(rows.map(({ status }) => String(status)))
  const parameters = new Set(rows.flatMap((row) => row.parameters))
  const actors = new Set<string>(rows.map(({ actor }) => actor))
  return {
    operation: entry.id,
    ...(rows.length === 0 && { whole: true }),
    statuses: owedStatuses(entry).filter((status) => !statuses.has(status)),
    parameters: entry.parameters.filter((name) => !parameters.has(name)),
    actors: entry.actors.filter((actor) => !actors.has(actor)),
  }
}

function share(seen: number, total: number): CoverageCount {
  return { seen, total, percent: total === 0 ? 100 : Math.floor((seen / total) * 1000) / 10 }
}
