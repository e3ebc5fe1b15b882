/**
 * What guests have seen. If they see every record of a table, a record that they no longer see is gone, and no superuser
 * is needed to prove it.
 *
 * @module
 */

import { authRoles, openRoles } from '../../spec/tables.ts'
import { idOf } from './prior-records.ts'
import type { RecordNames } from './record-names.ts'

export class GuestView {
  readonly #names: RecordNames
  /** Tables in which a guest has seen a record. */
  readonly #tables = new Set<string>()
  readonly #records = new Set<string>()

  constructor(names: RecordNames) {
    this.#names = names
  }

  /** Call it with the records in a response to a guest. @returns ids of those that no guest has seen before */
  saw(segment: string, records: readonly unknown[]): string[] {
    return records.flatMap((record) => {
      const id = idOf(record)
      if (id === undefined) return []
      this.#tables.add(this.#names.table(segment))
      if (this.has(segment, id)) return []
      this.#records.add(this.#names.record(segment, id))
      return [id]
    })
  }

  /** Call it with tables in which a guest has seen a record of an earlier run. */
  sawTables(segments: readonly string[]): void {
    for (const segment of segments) this.#tables.add(this.#names.table(segment))
  }

  /** Whether a guest has seen this record, in this run or, if the run has looked for it, in an earlier one. */
  has(segment: string, id: string): boolean {
    return this.#records.has(this.#names.record(segment, id))
  }

  /** Whether a guest sees every record of a table: its role is open to guests, and a guest has seen one of its records. */
  showsAll(segment: string): boolean {
    const role = this.#names.role(segment)
    return this.#tables.has(this.#names.table(segment)) && role !== undefined && visibleRoles.has(role)
  }

  /** Whether a guest also sees the text of each: the email address of an account may be hidden. */
  showsAllTexts(segment: string): boolean {
    return this.showsAll(segment) && !accountRoles.has(this.#names.role(segment) ?? '')
  }
}

const accountRoles = authRoles()

/** Roles whose tables let everyone view every record. */
const visibleRoles = openRoles('viewRule')
