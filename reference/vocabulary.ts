/**
 * The vocabulary of the reference server, as types: tables, rows, callers, requests and the store. The folders of the
 * reference use these types with each other.
 *
 * @module
 */

import type { DefinitionOf, FieldType, GeoPoint } from '../spec/field-types.ts'
import type { FieldDefinition, RuleText, TableDefinition } from '../spec/table-definition.ts'
import type { KeyAction } from '../spec/vocabulary.ts'

/** A value that JSON can express. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/**
 * A stored value. By field type: text, email, url, editor, date, autodate, password (hash) and single select,
 * relation, file: string · multiple select, relation, file: string[] · number: number · bool: boolean ·
 * json: Json · geoPoint: GeoPoint.
 */
export type Value = Json | GeoPoint

/** All fields of a record by name, `id` included. Never mutated: a change makes a new object. */
export type Values = Readonly<Record<string, Value>>

/** One stored record. `rowid` grows with each insertion and is never reused: it is the order without `sort`. */
export interface Row {
  readonly rowid: number
  readonly id: string
  readonly values: Values
}

/**
 * How a side of a comparison converts the other: a text column converts numbers to strings, a number column converts
 * strings that look like numbers to numbers, anything else leaves both unchanged (contract-records 2.8).
 */
export type Affinity = 'text' | 'number' | 'none'

/** A value in comparisons: missing, number (booleans are 1 and 0) or string. */
export type SqlValue = null | number | string

/** How filters, sort orders and rules read the values of a field type (contract-records 2.4, 2.5, 2.8). */
export interface ColumnKind {
  /** Affinity of one value. A list is a number column, whatever its elements are. */
  readonly affinity: Affinity
  /** A string of a query, header or form that stands for the value is a number if it looks like one. */
  readonly numeric: boolean
  /** Missing and empty are different. */
  readonly exact: boolean
  /** The value is a list, or could be one with another `maxSelect`: `:each` and `:length` apply. */
  readonly list: boolean
  /** Names and indexes may follow, as in `place.lon`. */
  readonly inside: boolean
  /** Only rules can read it. */
  readonly secret: boolean
  /** The stored value for comparisons. */
  read(value: Value | undefined): SqlValue
}

/** A field with every option filled in. `definition.name` is its name. */
export interface FieldOutline<T extends FieldType = FieldType> {
  readonly name: string
  readonly type: FieldType
  readonly hidden: boolean
  readonly definition: Required<DefinitionOf<T>> & FieldDefinition
  /** True for select, relation and file with `maxSelect` above 1: the value is an array. */
  readonly multiple: boolean
  readonly column: ColumnKind
}

/** How a body key may change a field instead of setting it: `f+`, `+f`, `f-`, `f:autogenerate`. */
export type Modifier = 'append' | 'prepend' | 'remove' | 'autogenerate'

/** Applies a value from the client to the value that the record had (or its zero value). Never throws. */
export type Modify = (base: Value, input: unknown, environment: Environment) => Value

/** What validation can read in addition to the value. */
export interface FieldCheckContext {
  readonly reader: Reader
  readonly table: Table
  /** The stored record; absent if it is being created. */
  readonly stored?: Values
  /** The record is new but already stored: checks for new records apply. */
  readonly planted?: boolean
  /** Uploads of the request, by stored name. */
  readonly uploads?: ReadonlyMap<string, Upload>
}

/** The operations on the values of one field. Created with its table: nothing is compiled per request. */
export interface FieldActions {
  /** The value of a field that was never set. */
  readonly zero: Value
  /**
   * Converts a value from the client to the stored form. Never throws: a value that cannot be cast becomes the zero
   * value.
   */
  accept(input: unknown): Value
  readonly modifiers: Readonly<Partial<Record<Modifier, Modify>>>
  /** The first error of a value, or undefined. */
  check(value: Value, context: FieldCheckContext): FieldError | undefined
  /** The value in a response. */
  render(value: Value): Json
  /** Generates the value of an empty field of a new record. Absent: it stays empty. */
  generate?(environment: Environment): Value
}

/** A field ready for use. */
export interface Field<T extends FieldType = FieldType> extends FieldOutline<T>, FieldActions {}

/** A key that the body of a request may have. */
export interface FieldBodyKey {
  readonly field: Field
  /** Absent: the key sets the field. */
  readonly modify?: Modify
}

export interface IndexColumn {
  field: string
  /** The function that the index applies to the value: its result must be unique. */
  through?: 'lower' | 'upper' | 'trim' | 'ltrim' | 'rtrim'
  collation: 'BINARY' | 'NOCASE' | 'RTRIM'
}

/** A unique index. */
export interface UniqueIndex {
  readonly name: string
  readonly columns: readonly IndexColumn[]
  /** Rows that the index covers (its WHERE clause). Absent: all. */
  readonly covers?: (values: Values) => boolean
}

/** A declared index, unique or not, in which lists find rows by value and in order of value. */
export interface ValueIndex {
  /** The first one decides, then the next. */
  readonly fields: readonly Field[]
}

/** Which rows of an index are wanted: those with these values in the first columns, and a range of the next column. */
export interface IndexRange {
  readonly equal: readonly SqlValue[]
  /** Where the range begins. Absent: with the lowest value, missing ones included. */
  readonly from?: IndexEnd | undefined
  /** Where it ends. Absent: with the highest value. */
  readonly to?: IndexEnd | undefined
}

export interface IndexEnd {
  readonly value: SqlValue
  /** Whether rows with this value are within the range. */
  readonly included: boolean
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
  /** A record with the zero value of every field. */
  readonly zero: Values
  /** Every key that a body may use, modifiers included. Autodates are not among them. */
  readonly bodyKeys: ReadonlyMap<string, FieldBodyKey>
  readonly uniqueIndexes: readonly UniqueIndex[]
  readonly valueIndexes: readonly ValueIndex[]
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
  /** Whether a record has this id in any letter case, if ids may contain upper case. Never a scan. */
  hasFolded(table: Table, id: string): boolean
  /**
   * In insertion order unless another one is given. Does not sort.
   *
   * @param skip rows to leave out at the beginning; not read one by one if fewer rows are left than left out
   */
  scan(table: Table, order?: StoredOrder, skip?: number): Iterable<Row>
  count(table: Table): number
  /** The row with these values in the columns of the unique index, in column order. Never a scan. */
  lookup(table: Table, index: UniqueIndex, values: readonly Value[]): Row | undefined
  /** Rows of an index within a range, in its order or in reverse; rows of equal values in insertion order. */
  within(table: Table, index: ValueIndex, range: IndexRange, reverse?: boolean): Iterable<Row>
  /** Rows of `table` whose relation `field` contains `id`, in insertion order. Never a scan. */
  referrers(table: Table, field: Field, id: string): Iterable<Row>
  /** A stored file of a record, by its stored name. */
  file(table: Table, recordId: string, name: string): StoredFile | undefined
}

/** A reader that can also write. Its writes are visible to others after the transaction commits. */
export interface Writer extends Reader {
  /** @throws UniqueViolation if a unique index already contains the values */
  insert(table: Table, values: Values): Row
  replace(table: Table, row: Row, values: Values): Row
  remove(table: Table, row: Row): void
  /** Content of a stored file. Files are part of the transaction, like records. */
  putFile(table: Table, recordId: string, name: string, file: StoredFile): void
  removeFile(table: Table, recordId: string, name: string): void
}

export interface StoredFile {
  bytes: Uint8Array
  type: string
  /** When it was stored, in milliseconds since the epoch. Absent in states that were exported without it. */
  modified?: number | undefined
}

/** An uploaded file. In a body it takes the place of a file name. */
export interface Upload {
  readonly kind: 'upload'
  /** Name as the client sent it. */
  readonly originalName: string
  /** Stored name, generated when the upload is read. */
  readonly storedName: string
  readonly bytes: Uint8Array
  /** Media type detected from the bytes, not the one that the client sent. */
  readonly type: string
}

/** `{ code, message, params? }` of one field. */
export interface FieldError {
  /** Such as `validation_required`. */
  code: string
  /** A message for people. */
  message: string
  /** Values in the message. */
  params?: Record<string, Json>
}

/** The caller of a request. */
export type Caller =
  | { kind: 'guest' }
  | { kind: 'record'; table: Table; row: Row; token: TokenFacts }
  | { kind: 'superuser'; table: Table; row: Row; token: TokenFacts }
  | { kind: 'key'; key: ApiKeyFacts }

/** A caller who is a record. */
export type SignedInCaller = Extract<Caller, { kind: 'record' | 'superuser' }>

export interface TokenFacts {
  text: string
  refreshable: boolean
  /** Seconds since the epoch. */
  expires: number
}

/** What a project API key may do. */
export interface ApiKeyFacts {
  /** Identifies the key, for example to revoke it. It is also part of its text. */
  id: string
  /** Description for people. Empty if none was given. */
  name: string
  /** Names or ids of tables; `*` for all. */
  tables: readonly string[]
  /** Actions on records of these tables. */
  actions: readonly KeyAction[]
}

/** Finds a project API key by its full text; revoked and unknown ones are not found. */
export type FindApiKey = (text: string) => ApiKeyFacts | undefined

/** What rules can read of a request (contract-records 5.3). */
export interface RequestInfo {
  context: 'default' | 'batch' | 'expand' | 'oauth2' | 'otp' | 'password' | 'protectedFile' | 'realtime'
  method: string
  /** First value of each query parameter. */
  query: Readonly<Record<string, string>>
  /** First value of each header, names in snake_case. Few rules read them. */
  headers: () => Readonly<Record<string, string>>
  /** Resolved body: modifiers applied, known fields cast, unknown keys unchanged. */
  body: Readonly<Record<string, Value>>
  /** Names the client sent, modifiers stripped, for `:isset`. */
  sent: ReadonlySet<string>
  caller: Caller
}

/** Clock, random source and cost, all injectable. Nothing else in the reference reads the clock or a random source. */
export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number
  /** `length` characters of `alphabet`. */
  random(alphabet: string, length: number): string
  /** A record id for a table: matches its id field's `autogeneratePattern`. */
  newId(): string
  /** The id of the next record of an application's table, if ids are not random. */
  nextId?(table: string): string
  /** log2 of the scrypt cost of every hash. Absent: the field's cost. */
  passwordCost?: number
}
