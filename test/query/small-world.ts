import { bodyKeys } from '../../reference/fields/body-keys.ts'
import { fieldKind } from '../../reference/fields/registry.ts'
import { defaultLimits } from '../../reference/limits/limits.ts'
import { Work } from '../../reference/limits/work.ts'
import type { Scope } from '../../reference/query/scope.ts'
import { bindFields } from '../../reference/tables/make-fields.ts'
import type {
  FieldOutline,
  Reader,
  RequestInfo,
  Row,
  Table,
  UniqueIndex,
  Values,
} from '../../reference/vocabulary.ts'
import type { FieldDefinition, RuleText, TableDefinition } from '../../spec/table-definition.ts'

/** A table for tests of the query language: fields as given, unique indexes by column name. */
export function smallTable(definition: TableDefinition, unique: string[] = []): Table {
  const given = [{ type: 'text', name: 'id' } as FieldDefinition, ...(definition.fields ?? [])]
  const outlines = given.map((field) => {
    const { column, defaults } = fieldKind(field.type)
    return {
      name: field.name,
      type: field.type,
      hidden: field.hidden ?? false,
      multiple: 'maxSelect' in field && (field.maxSelect ?? 0) > 1,
      definition: { ...defaults, ...field } as FieldOutline['definition'],
      column,
    }
  })
  const fields = bindFields(outlines)
  const uniqueIndexes = unique.map((column): UniqueIndex => {
    return { name: `by_${column}`, columns: [{ field: column, collation: 'BINARY' }] }
  })
  return {
    id: definition.id ?? `id_${definition.name}`,
    name: definition.name,
    type: definition.type ?? 'base',
    system: false,
    definition,
    fields,
    zero: {},
    bodyKeys: bodyKeys(fields),
    uniqueIndexes,
    valueIndexes: [],
    field: (name) => fields.find((field) => field.name === name),
    rule: (name) => (definition[name] === undefined ? '' : (definition[name] as RuleText)),
  }
}

/** A reader over plain lists, with a count of how often a whole table was walked. */
export function smallReader(tables: Table[], data: Record<string, Values[]>): Reader & { scans: number } {
  let rowid = 0
  const rows = new Map(
    tables.map((table) => [
      table.id,
      (data[table.name] ?? []).map((values): Row => {
        rowid += 1
        return { rowid, id: String(values.id), values }
      }),
    ]),
  )
  const of = (table: Table) => rows.get(table.id) ?? []
  return {
    scans: 0,
    tables: () => tables,
    table: (name) => {
      return tables.find((table) => table.id === name || table.name.toLowerCase() === name.toLowerCase())
    },
    hasFolded: (table, id) => of(table).some((row) => row.id.toLowerCase() === id.toLowerCase()),
    get: (table, id) => of(table).find((row) => row.id === id),
    scan(table, order = 'rowid', skip = 0) {
      this.scans += 1
      const found = [...of(table)]
      const byId = order === 'id' || order === '-id'
      if (byId) found.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
      return (order.startsWith('-') ? found.reverse() : found).slice(skip)
    },
    count: (table) => of(table).length,
    lookup: (table, index, [value]) => {
      const [column] = index.columns
      return of(table).find((row) => column !== undefined && row.values[column.field] === value)
    },
    within: () => [],
    file: () => undefined,
    referrers: (table, field, id) => {
      return of(table).filter((row) => [row.values[field.name]].flat().includes(id))
    },
  }
}

/** A request of a guest with nothing in it, and what a test changes of it. */
export function smallRequest(changes: Partial<RequestInfo> = {}): RequestInfo {
  return {
    context: 'default',
    method: 'GET',
    query: {},
    headers: () => ({}),
    body: {},
    sent: new Set(),
    caller: { kind: 'guest' },
    ...changes,
  }
}

/** 2026-03-04 05:06:07.089 UTC, a Wednesday. */
export const MOMENT = Date.UTC(2026, 2, 4, 5, 6, 7, 89)

/** A scope for tests: a guest, or a superuser. */
export function smallScope(reader: Reader, table: Table, changes: Partial<Scope> = {}): Scope {
  const work = new Work(defaultLimits)
  return { reader, table, request: smallRequest(), now: MOMENT, superuser: false, work, ...changes }
}
