/**
 * The coverage by operation, as people read it: what each format prints. A function of data.
 *
 * @module
 */

import { operationPaths } from '../../spec/generated/operations.ts'
import { whyUnseen } from '../../spec/unseen.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { type ActorKind, allActors } from '../../validate/coverage/actors.ts'
import type { CoverageReport } from '../../validate/coverage/coverage-report.ts'
import { describedAs, owedStatuses } from '../../validate/coverage/owed-statuses.ts'
import type { SeenRow } from '../../validate/coverage/seen-rows.ts'
import { operationEntry } from '../../validate/operation-entries.ts'
import { defined } from '../support/defined.ts'

/** One status of an operation. */
export interface StatusLine {
  status: string
  /** Ids. */
  requirements: readonly string[]
  /** Number of requirements that saw it, by actor. Empty: it was not seen. */
  actors: readonly { actor: ActorKind; requirements: number }[]
  /** What describes it: the status itself or its range, `2XX`. Absent: nothing. */
  as?: string
  /** Why the suite never sees it, if that is known. */
  reason?: string
}

/** One parameter, header, media type or body key. */
export interface ParameterLine {
  name: string
  requirements: readonly string[]
  statuses: readonly number[]
  /** None: it was not sent. */
  actors: readonly ActorKind[]
  described: boolean
  /** Why the suite never sends it, if that is known. */
  reason?: string
}

/** Described as senders of an operation, but never seen. */
export interface MissingActor {
  actor: string
  /** Why, if that is known. */
  reason?: string
}

export interface OperationView {
  operation: OperationId
  method: string
  /** After the prefix. */
  path: string
  requirements: readonly string[]
  statuses: readonly StatusLine[]
  parameters: readonly ParameterLine[]
  missingActors: readonly MissingActor[]
}

/** In the order of the description. */
export function coverageView({ seen, missing }: CoverageReport): OperationView[] {
  return operationPaths.map(({ id, method, segments }) => {
    const rows = seen[id] ?? []
    const lacking = missing.find(({ operation }) => operation === id)
    return {
      operation: id,
      method,
      path: `/${segments.join('/')}`,
      requirements: requirementsOf(rows),
      statuses: statusLines(id, rows, lacking?.statuses ?? []),
      parameters: parameterLines(id, rows),
      missingActors: (lacking?.actors ?? []).map((actor) => ({
        actor,
        ...defined({ reason: whyUnseen(id, actor) }),
      })),
    }
  })
}

function statusLines(
  operation: OperationId,
  rows: readonly SeenRow[],
  missing: readonly string[],
): StatusLine[] {
  const entry = operationEntry(operation)
  const seen = [...new Set(rows.map(({ status }) => status))].map((status): StatusLine => {
    const own = rows.filter((row) => row.status === status)
    return {
      status: String(status),
      requirements: requirementsOf(own),
      actors: actorsOf(own).map((actor) => ({
        actor,
        requirements: requirementsOf(own.filter((row) => row.actor === actor)).length,
      })),
      ...defined({ as: describedAs(entry, status) }),
    }
  })
  const absent = owedStatuses(entry)
    .filter((status) => missing.includes(status))
    .map(
      (status): StatusLine => ({
        status,
        requirements: [],
        actors: [],
        as: status,
        ...defined({ reason: whyUnseen(operation, status) }),
      }),
    )
  return [...seen, ...absent].sort((one, other) => (one.status < other.status ? -1 : 1))
}

/** Those that are described in their order, then the others. */
function parameterLines(operation: OperationId, rows: readonly SeenRow[]): ParameterLine[] {
  const described = operationEntry(operation).parameters
  return [...new Set([...described, ...rows.flatMap(({ parameters }) => parameters)])].map((name) => {
    const own = rows.filter(({ parameters }) => parameters.includes(name))
    return {
      name,
      requirements: requirementsOf(own),
      statuses: [...new Set(own.map(({ status }) => status))].sort((one, other) => one - other),
      actors: actorsOf(own),
      described: described.includes(name),
      ...(own.length === 0 ? defined({ reason: whyUnseen(operation, name) }) : {}),
    }
  })
}

function requirementsOf(rows: readonly SeenRow[]): string[] {
  return [...new Set(rows.flatMap(({ requirements }) => requirements))].sort()
}

function actorsOf(rows: readonly SeenRow[]): ActorKind[] {
  return allActors.filter((actor) => rows.some((row) => row.actor === actor))
}
