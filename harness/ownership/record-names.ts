/**
 * One name for each table and record. Requests may name a table by an identifier that is not in the target file, or in
 * another case.
 *
 * @module
 */

import { mappedTable } from '../target/mapped-table.ts'
import type { Target } from '../vocabulary/target.ts'

export class RecordNames {
  readonly #run: { readonly target: Target }
  /** Table identifiers in records, in lower case, with the name of the table. */
  readonly #aliases = new Map<string, string>()

  constructor(run: { readonly target: Target }) {
    this.#run = run
  }

  /** The target's name of the table that a path segment names; the segment itself if it has no role. */
  table(segment: string): string {
    const alias = this.#aliases.get(segment.toLowerCase()) ?? segment
    return mappedTable(this.#run, alias)?.name ?? alias
  }

  /** The table's name and the id, as one string. */
  record(segment: string, id: string): string {
    return `${this.table(segment)}/${id}`
  }

  /** The role of the table that a path segment names. */
  role(segment: string): string | undefined {
    return mappedTable(this.#run, this.table(segment))?.role
  }

  /** Learns the identifier of a table from a record of it. */
  learn(segment: string, record: unknown): void {
    const { collectionId } = record as { collectionId?: unknown }
    const table = mappedTable(this.#run, segment)
    if (typeof collectionId !== 'string' || table === undefined) return
    const key = collectionId.toLowerCase()
    if (!this.#aliases.has(key)) this.#aliases.set(key, table.name)
  }
}
