/** What a delete that had no effect returned, and whether the record is still shown. */
export interface FailedDelete {
  status?: number
  shown?: boolean | undefined
}

/**
 * Records whose deletes fail before a table counts as undeletable. A few prove nothing: with a 404, a server may also hide
 * a record that another account may delete.
 */
const enough = 10

/**
 * Tables whose records no request deletes, because the server lacks the operation. A run tries each record once then: several
 * attempts for each record that it created would take most of its time.
 */
export class UndeletableTables {
  readonly #failures = new Map<string, number>()
  readonly #deletable = new Set<string>()

  /** Call it once for each record, with what its delete left. Undefined: the record is deleted. */
  note(table: string, failed: FailedDelete | undefined): void {
    if (failed === undefined || !isUnknownOperation(failed)) this.#deletable.add(table)
    else this.#failures.set(table, (this.#failures.get(table) ?? 0) + 1)
  }

  /** Whether no record of the table can be deleted, as far as the deletes so far show. */
  has(table: string): boolean {
    return !this.#deletable.has(table) && (this.#failures.get(table) ?? 0) >= enough
  }
}

/** A missing permission, or a record that another one needs, has other responses: later deletes may succeed. */
function isUnknownOperation({ status, shown }: FailedDelete): boolean {
  return status === 405 || status === 501 || (status === 404 && shown === true)
}
