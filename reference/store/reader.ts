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
import { fileKey, hasFoldedId, lookupRow, referringRows, type TableData } from './table-data.ts'

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
    const { rows, ids } = this.data(table)
    if (order === 'rowid') return inOrder(rows, skip)
    if (order === 'id') return inOrder(ids, skip)
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

function inOrder<K>(rows: OrderedMap<K, Row>, skip: number): Iterable<Row> {
  if (skip === 0) return rows.values()
  const first = keyAt(rows, skip)
  return first === undefined ? [] : rows.values(first)
}

function* lastFirst<K>(rows: OrderedMap<K, Row>, skip: number): Iterable<Row> {
  const last = keyAt(rows, rows.size - 1 - skip)
  if (last !== undefined) for (const [, row] of rows.entriesReversed(last)) yield row
}

/** The key at a position, counted from the nearer end. Undefined outside the map. */
function keyAt<K>(rows: OrderedMap<K, Row>, position: number): K | undefined {
  const fromEnd = rows.size - 1 - position
  if (position < 0 || fromEnd < 0) return undefined
  let left = Math.min(position, fromEnd)
  for (const [key] of position <= fromEnd ? rows.entries() : rows.entriesReversed())
    if (left-- === 0) return key
  return undefined
}
