import type { Field, Reader, Row, StoredFile, StoredOrder, Table, UniqueIndex, Value } from '../vocabulary.ts'
import type { OrderedMap } from './ordered-map.ts'
import type { Root } from './root.ts'
import { fileKey, hasFoldedId, lookupRow, referringRows, type TableData } from './table-data.ts'

/** Reads one root. Since a root never changes, nothing that happens later shows here. */
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

  scan(table: Table, order: StoredOrder = 'rowid'): Iterable<Row> {
    const { rows, ids } = this.data(table)
    if (order === 'rowid') return rows.values()
    if (order === 'id') return ids.values()
    return order === '-id' ? lastFirst(ids) : lastFirst(rows)
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

  /** @throws when the table is not one of this store. */
  protected data(table: Table): TableData {
    const data = this.base.data.get(table.id)
    if (!data) throw new Error(`Table "${table.name}" (${table.id}) is not in this store. Add it first.`)
    return data
  }
}

function* lastFirst<K>(rows: OrderedMap<K, Row>): Iterable<Row> {
  for (const [, row] of rows.entriesReversed()) yield row
}
