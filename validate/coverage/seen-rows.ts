/**
 * Requests that were alike in operation, status, sender and parameters, and the requirements that they were about: the
 * cells of the coverage. What is seen twice is one row, so that a million of exchanges cost no memory.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import { operationEntries } from '../operation-entries.ts'
import { type ActorKind, allActors } from './actors.ts'

/** One cell of the coverage. */
export interface SeenRow {
  /** HTTP status of the responses. */
  status: number
  /** Who sent the requests. */
  actor: ActorKind
  /** Names of what the request contained, as `sentParameters` gives them. */
  parameters: readonly string[]
  /**
   * Requirement ids, sorted. In a run: those whose checks sent the request. In a validator: those validated on it.
   */
  requirements: readonly string[]
}

/** Rows by operation, in the order of the description. Operations without any are left out. */
export type RowsByOperation = Partial<Record<OperationId, readonly SeenRow[]>>

/** A row while it is collected. */
export interface OpenRow extends Omit<SeenRow, 'requirements'> {
  operation: OperationId
  requirements: Set<string>
}

export class SeenRows {
  readonly #rows = new Map<string, OpenRow>()

  /** @returns the row of all requests that are alike, for the requirements that they are about */
  row({ operation, status, actor, parameters }: Omit<OpenRow, 'requirements'>): OpenRow {
    const key = `${operation} ${status} ${actor} ${parameters.join(' ')}`
    let row = this.#rows.get(key)
    if (row === undefined) {
      row = { operation, status, actor, parameters, requirements: new Set() }
      this.#rows.set(key, row)
    }
    return row
  }

  add(rows: RowsByOperation): void {
    for (const [operation, seen] of Object.entries(rows))
      for (const { requirements, ...alike } of seen) {
        const row = this.row({ operation: operation as OperationId, ...alike })
        for (const id of requirements) row.requirements.add(id)
      }
  }

  /** The same, whatever the order in which it was seen. */
  byOperation(): RowsByOperation {
    const rows = [...this.#rows.values()].sort(inOrder)
    return Object.fromEntries(
      operationEntries().flatMap(({ id }) => {
        const own = rows.filter(({ operation }) => operation === id)
        return own.length === 0 ? [] : [[id, own.map(closed)]]
      }),
    )
  }
}

function closed({ status, actor, parameters, requirements }: OpenRow): SeenRow {
  return { status, actor, parameters, requirements: [...requirements].sort() }
}

function inOrder(one: OpenRow, other: OpenRow): number {
  const [first, second] = [one.parameters.join(' '), other.parameters.join(' ')]
  return (
    one.status - other.status ||
    allActors.indexOf(one.actor) - allActors.indexOf(other.actor) ||
    (first < second ? -1 : Number(first > second))
  )
}
