/**
 * How requests see a state while others write: each reads one root from beginning to end.
 *
 * @module
 */

import type {
  Field,
  IndexRange,
  Reader,
  Row,
  StoredFile,
  StoredOrder,
  Table,
  UniqueIndex,
  Value,
  ValueIndex,
} from '../vocabulary.ts'
import { rowsWithin } from './indexed-rows.ts'
import type { OrderedMap } from './ordered-map.ts'
import type { Root } from './root.ts'
import { keyAt, Scan, valuesInPieces } from './scan.ts'
import { fileKey, hasFoldedId, lookupRow, referringRows, rowsInPieces, type TableData } from './table-data.ts'

/** Reads one root. A root never changes, so later writes are not visible here. */
export class RootReader implements Reader {
  protected readonly base: Root

  constructor(root: Root) {
    this.base = root
  }

  tables(): Iterable<Table> {
    return this.base.tables.values()
  }

  table(nameOrId: string): Table | undefined {
    return this.base.tables.get(nameOrId) ?? this.base.names.get(nameOrId.toLowerCase())
  }

  get(table: Table, id: string): Row | undefined {
    return this.data(table).ids.get(id)
  }

  hasFolded(table: Table, id: string): boolean {
    return hasFoldedId(this.data(table), id)
  }

  scan(table: Table, order: StoredOrder = 'rowid', skip = 0): Iterable<Row> {
    const data = this.data(table)
    const { rows, ids } = data
    if (order === 'rowid' && skip === 0) return new Scan(() => rowsInPieces(data))
    if (order === 'rowid') return new Scan(() => valuesInPieces(rows, skip))
    if (order === 'id') return new Scan(() => valuesInPieces(ids, skip))
    return order === '-id' ? lastFirst(ids, skip) : lastFirst(rows, skip)
  }

  within(table: Table, index: ValueIndex, range: IndexRange, reverse?: boolean): Iterable<Row> {
    const rows = this.data(table).values[table.valueIndexes.indexOf(index)]
    return rows === undefined ? [] : rowsWithin(index, rows, range, reverse)
  }

  count(table: Table): number {
    return this.data(table).rows.size
  }

  lookup(table: Table, index: UniqueIndex, values: readonly Value[]): Row | undefined {
    return lookupRow(table, this.data(table), index, values)
  }

  referrers(table: Table, field: Field, id: string): Iterable<Row> {
    return referringRows(this.data(table), field, id)
  }

  file(table: Table, recordId: string, name: string): StoredFile | undefined {
    return this.data(table).files.get(fileKey(recordId, name))
  }

  /** @throws Error for a table of another store */
  protected data(table: Table): TableData {
    const data = this.base.data.get(table.id)
    if (!data) throw new Error(`Table "${table.name}" (${table.id}) is not in this store. Add it first.`)
    return data
  }
}

function* lastFirst<K>(rows: OrderedMap<K, Row>, skip: number): Iterable<Row> {
  const last = keyAt(rows, rows.size - 1 - skip)
  if (last !== undefined) for (const [, row] of rows.entriesReversed(last)) yield row
}
