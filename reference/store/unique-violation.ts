/**
 * The store's error for values that are taken, from which a response names the fields.
 *
 * @module
 */

/**
 * A write that would have put the same values into a unique index twice. Names every column of the index, because the
 * response reports each of them (contract-records 4.5).
 */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  /** Name of the table. */
  readonly table: string
  /** Name of the index; `id` for the record id itself. */
  readonly index: string
  /** Names of all its fields. */
  readonly columns: readonly string[]

  constructor(table: string, index: string, columns: readonly string[]) {
    super(
      `Table "${table}" already holds a record with the same ${columns.join(' + ')} (unique index "${index}").`,
    )
    this.table = table
    this.index = index
    this.columns = columns
  }
}
