/**
 * The writes of one request: all of them take effect, or none.
 *
 * @module
 */

import type { Row, StoredFile, Table, Values, Writer } from '../vocabulary.ts'
import type { Change } from './commit.ts'
import { RootReader } from './reader.ts'
import type { Root } from './root.ts'
import { copyTableData, fileKey, insertRow, removeRow, replaceRow, type TableData } from './table-data.ts'

/** Writes of one transaction, next to the root that they start from: a table is copied when it is first written. */
export class TransactionWriter extends RootReader implements Writer {
  readonly #changed = new Map<string, TableData>()
  readonly #changes: Change[] | undefined
  #open = true

  /** @param changes receives every record that is written, in order. Absent: changes are not collected */
  constructor(base: Root, changes?: Change[]) {
    super(base)
    this.#changes = changes
  }

  insert(table: Table, values: Values): Row {
    const row = insertRow(table, this.#writable(table), values)
    this.#changes?.push({ action: 'create', table, row })
    return row
  }

  replace(table: Table, old: Row, values: Values): Row {
    const row = replaceRow(table, this.#writable(table), this.#present(table, old), values)
    this.#changes?.push({ action: 'update', table, row })
    return row
  }

  remove(table: Table, old: Row): void {
    const row = this.#present(table, old)
    removeRow(table, this.#writable(table), row)
    this.#changes?.push({ action: 'delete', table, row })
  }

  putFile(table: Table, recordId: string, name: string, file: StoredFile): void {
    this.#writable(table).files.set(fileKey(recordId, name), file)
  }

  removeFile(table: Table, recordId: string, name: string): void {
    this.#writable(table).files.delete(fileKey(recordId, name))
  }

  /** The root with these writes; the original root if nothing was written. */
  root(): Root {
    if (this.#changed.size === 0) return this.base
    return { ...this.base, data: new Map([...this.base.data, ...this.#changed]) }
  }

  /** No writes are possible afterwards: a writer that outlives its transaction would change committed data. */
  close(): void {
    this.#open = false
  }

  protected override data(table: Table): TableData {
    return this.#changed.get(table.id) ?? super.data(table)
  }

  #writable(table: Table): TableData {
    if (!this.#open) {
      throw new Error('This transaction is over: nothing can be written through it. Start another one.')
    }
    const changed = this.#changed.get(table.id)
    if (changed) return changed
    const copy = copyTableData(super.data(table))
    this.#changed.set(table.id, copy)
    return copy
  }

  /** The current version of the row: the caller may have an earlier one. */
  #present(table: Table, row: Row): Row {
    const present = this.data(table).rows.get(row.rowid)
    if (!present)
      throw new Error(`Table "${table.name}" holds no record "${row.id}" any more. Read it again.`)
    return present
  }
}
