import type { Faker } from '@faker-js/faker'
import type { CommonFieldOptions, DefinitionOf, FieldShapes, FieldType } from '../../spec/field-types.ts'
import type { FieldDefinition } from '../../spec/table-definition.ts'
import type { ColumnKind, Environment, Field, FieldActions, FieldError, FieldOutline } from '../vocabulary.ts'

/** What is wrong with the options of a definition, by option (`onlyDomains.0` for one of a list). */
export type DefinitionProblems = Readonly<Record<string, FieldError | undefined>>

/** A definition with all options of its type filled in. */
export type Complete<T extends FieldType> = Required<DefinitionOf<T>> & FieldDefinition

/** The control with which the console edits a value; `serve/console/static/field-control.js` draws it. */
export interface FormControl {
  as:
    | 'line'
    | 'lines'
    | 'number'
    | 'checkbox'
    | 'choice'
    | 'json'
    | 'point'
    | 'records'
    | 'files'
    | 'password'
  /** The kind of input of a `line`. @default 'text' */
  input?: 'email' | 'url'
  /** Rows of `lines` at first. @default 1 */
  rows?: number
  /** In the typeface of code. */
  mono?: boolean
  hint?: string
}

/** What a value is made up with. */
export interface Making {
  faker: Faker
  environment: Environment
  /** Table and field, for messages. */
  place: string
}

/**
 * One field type: everything that the reference and its console have to know of it, the facts of `spec/field-types.ts`
 * aside. Every file of this folder that is named after a type exports one of these.
 */
export interface FieldKind<T extends FieldType = FieldType> {
  /** Options and their defaults besides the common ones (contract-records 3.1, 9.2). */
  readonly defaults: Required<FieldShapes[T]['options']> & Pick<CommonFieldOptions, 'help' | 'required'>
  readonly column: ColumnKind
  /** Mistakes in the options (contract-records 9.2). */
  inspect(definition: Complete<T>): DefinitionProblems
  bind(field: FieldOutline<T>): FieldActions
  /** Bytes that a request may be longer for the sake of the field. Absent: none. */
  room?(definition: Complete<T>): number
  /**
   * A value that the field accepts. Undefined leaves it as it is without a value.
   *
   * @throws Error that names the place if no value is found
   */
  invent(field: Field<T>, making: Making): unknown
  /** Whether a row without a table definition shows by this value that its field has this type. */
  infers(value: unknown): boolean
  /** Undefined for a field that no client writes. */
  control(definition: Complete<T>): FormControl | undefined
}
