/**
 * The words of the reference server, as types: what a table, a row, a caller and a request are, and what the
 * store offers. Rooms of the reference talk to each other in these words only.
 *
 * @module
 */

import type { FieldDefinition, FieldType, RuleText, TableDefinition } from '../spec/table-definition.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export interface GeoPoint {
  lon: number
  lat: number
}

/**
 * A stored value. By field type: text, email, url, editor, date, autodate, password (hash) and single select,
 * relation, file: string · multiple select, relation, file: string[] · number: number · bool: boolean ·
 * json: Json · geoPoint: GeoPoint.
 */
export type Value = Json | GeoPoint

/** All fields of a record by name, `id` included. Never mutated: a change makes a new object. */
export type Values = Readonly<Record<string, Value>>

/** One stored record. `rowid` grows by insertion and is never used again: it is the order without `sort`. */
export interface Row {
  readonly rowid: number
  readonly id: string
  readonly values: Values
}

/** A field with every option filled in. `definition.name` is its name. */
export interface Field<D extends FieldDefinition = FieldDefinition> {
  readonly name: string
  readonly type: FieldType
  readonly hidden: boolean
  readonly definition: Required<D> & FieldDefinition
  /** True for select, relation and file with `maxSelect` above 1: the value is an array. */
  readonly multiple: boolean
}

export interface IndexColumn {
  field: string
  /** The function that the index applies to the value: what is unique is its result. */
  through?: 'lower' | 'upper' | 'trim' | 'ltrim' | 'rtrim'
  collation: 'BINARY' | 'NOCASE' | 'RTRIM'
}

/** A unique index. Plain indexes are parsed, checked and otherwise ignored. */
export interface UniqueIndex {
  readonly name: string
  readonly columns: readonly IndexColumn[]
  /** Rows that the index covers (its WHERE clause). Absent: all. */
  readonly covers?: (values: Values) => boolean
}

export type RuleName =
  | 'listRule'
  | 'viewRule'
  | 'createRule'
  | 'updateRule'
  | 'deleteRule'
  | 'authRule'
  | 'manageRule'

/** A table ready for use: definition complete and checked, fields by name. */
export interface Table {
  readonly id: string
  readonly name: string
  readonly type: 'base' | 'auth'
  readonly system: boolean
  readonly definition: TableDefinition
  /** In definition order, `id` first. */
  readonly fields: readonly Field[]
  readonly uniqueIndexes: readonly UniqueIndex[]
  field(name: string): Field | undefined
  rule(name: RuleName): RuleText
}

/** An order in which the store holds the rows of a table: by insertion or by id (bytes of UTF-8), up or down. */
export type StoredOrder = 'rowid' | '-rowid' | 'id' | '-id'

/** A consistent view of all tables at one moment. Reading never waits and never changes anything. */
export interface Reader {
  tables(): Iterable<Table>
  /** By name (any letter case) or by id (exact). */
  table(nameOrId: string): Table | undefined
  get(table: Table, id: string): Row | undefined
  /** Whether there is a record with this id in any letter case, where ids may have upper case. Never a scan. */
  hasFolded(table: Table, id: string): boolean
  /** In insertion order unless another one is named. Sorts nothing. */
  scan(table: Table, order?: StoredOrder): Iterable<Row>
  count(table: Table): number
  /** The row that the unique index holds for these column values, in column order. Never a scan. */
  lookup(table: Table, index: UniqueIndex, values: readonly Value[]): Row | undefined
  /** Rows of `table` whose relation `field` holds `id`, in insertion order. Never a scan. */
  referrers(table: Table, field: Field, id: string): Iterable<Row>
}

/** A reader that can also write. Nobody else sees its writes before the transaction ends well. */
export interface Writer extends Reader {
  /** @throws UniqueViolation when a unique index already holds the values. */
  insert(table: Table, values: Values): Row
  replace(table: Table, row: Row, values: Values): Row
  remove(table: Table, row: Row): void
  /** Bytes of a stored file; they live and die with the transaction like records do. */
  putFile(table: Table, recordId: string, name: string, file: StoredFile): void
  removeFile(table: Table, recordId: string, name: string): void
  file(table: Table, recordId: string, name: string): StoredFile | undefined
}

export interface StoredFile {
  bytes: Uint8Array
  type: string
}

/** An uploaded file on its way in. Stands in a body where a file name would stand. */
export interface Upload {
  readonly kind: 'upload'
  /** Name as the client sent it. */
  readonly originalName: string
  /** Name under which it is stored: made once, when the upload is read. */
  readonly storedName: string
  readonly bytes: Uint8Array
  /** Media type found by looking at the bytes, not what the client claimed. */
  readonly type: string
}

/** `{ code, message, params? }` of one field. */
export interface FieldError {
  code: string
  message: string
  params?: Record<string, Json>
}

/** Who asks. */
export type Caller =
  | { kind: 'guest' }
  | { kind: 'record'; table: Table; row: Row; token: TokenFacts }
  | { kind: 'superuser'; table: Table; row: Row; token: TokenFacts }
  | { kind: 'key'; key: ApiKeyFacts }

export interface TokenFacts {
  text: string
  refreshable: boolean
  /** Seconds since the epoch. */
  expires: number
}

export type KeyAction = 'list' | 'view' | 'create' | 'update' | 'delete'

export interface ApiKeyFacts {
  id: string
  name: string
  tables: readonly string[]
  actions: readonly KeyAction[]
}

/** Finds a project API key by its full text; revoked and unknown ones are not found. */
export type FindApiKey = (text: string) => ApiKeyFacts | undefined

/** What rules can see of a request (contract-records 5.3). */
export interface RequestInfo {
  context: 'default' | 'batch' | 'expand' | 'oauth2' | 'otp' | 'password' | 'protectedFile' | 'realtime'
  method: string
  /** First value of each query parameter. */
  query: Readonly<Record<string, string>>
  /** First value of each header, names in snake_case. */
  headers: Readonly<Record<string, string>>
  /** Resolved body: modifiers applied, known fields coerced, unknown keys raw. */
  body: Readonly<Record<string, Value>>
  /** Names the client sent, modifiers stripped: what `:isset` answers. */
  sent: ReadonlySet<string>
  caller: Caller
}

/** Time, chance and cost, all injectable. Nothing else in the reference reads the clock or a random source. */
export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number
  /** `length` characters of `alphabet`. */
  random(alphabet: string, length: number): string
  /** A record id for a table: matches its id field's `autogeneratePattern`. */
  newId(): string
  /** The id of the next record of an application's table, where ids are not left to chance. */
  nextId?(table: string): string
  /** log2 of the scrypt cost of every hash. Absent: what the field says. */
  passwordCost?: number
}
