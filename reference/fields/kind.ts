import type { FieldDefinition, FieldType } from '../../spec/table-definition.ts'
import type {
  Environment,
  Field,
  FieldError,
  Json,
  Reader,
  Table,
  Upload,
  Value,
  Values,
} from '../vocabulary.ts'

/** How a body key may change a field instead of setting it: `f+`, `+f`, `f-`, `f:autogenerate`. */
export type Modifier = 'append' | 'prepend' | 'remove' | 'autogenerate'

/** Changes the value that the record had (or its zero value) by what the client sent. Never throws. */
export type Modify = (base: Value, input: unknown, environment: Environment) => Value

/** What a check may look at besides the value. */
export interface CheckContext {
  readonly reader: Reader
  readonly table: Table
  /** The record as it is stored; absent when it is being created. */
  readonly stored?: Values
  /** Files that came with the request, by stored name. */
  readonly uploads?: ReadonlyMap<string, Upload>
}

/** One field of one table, made once when the table is made: nothing is parsed or compiled per request. */
export interface BoundField {
  /** The value of a field that nobody set. */
  readonly zero: Value
  /** What is stored for what a client sent. Never throws: what cannot be cast becomes the zero value. */
  accept(input: unknown): Value
  readonly modifiers: Readonly<Partial<Record<Modifier, Modify>>>
  /** The first problem of a value, or nothing. */
  check(value: Value, context: CheckContext): FieldError | undefined
  /** The value as the response shows it. */
  render(value: Value): Json
}

/** What is wrong with the options of a definition, by option (`onlyDomains.0` for one of a list). */
export type DefinitionProblems = Readonly<Record<string, FieldError | undefined>>

/** A definition with all options of its type filled in. */
export type Complete<D extends FieldDefinition> = Required<D> & FieldDefinition

/** One field type. Every file of this folder that is named after a type exports one of these. */
export interface FieldKind<D extends FieldDefinition = FieldDefinition> {
  readonly type: FieldType
  /** Options and their defaults besides the common ones (contract-records 3.1, 9.2). */
  readonly defaults: Omit<D, 'id' | 'name' | 'type' | 'system' | 'hidden' | 'presentable'>
  /** True when the value is an array. */
  multiple(definition: D): boolean
  /** Mistakes in the options (contract-records 9.2). */
  inspect(definition: Complete<D>): DefinitionProblems
  bind(field: Field<D>): BoundField
}
