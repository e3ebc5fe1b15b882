/**
 * The form of a field type. Files that are named after a type implement it, and `registry.ts` lists them.
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import type { CommonFieldOptions, DefinitionOf, FieldShapes, FieldType } from '../../spec/field-types.ts'
import type { FieldDefinition } from '../../spec/table-definition.ts'
import type { ColumnKind, Environment, Field, FieldActions, FieldError, FieldOutline } from '../vocabulary.ts'
import type { ValueForm } from './value-form.ts'

/** Errors of the options of a definition, by option (`onlyDomains.0` for an entry of a list). */
export type DefinitionProblems = Readonly<Record<string, FieldError | undefined>>

/** A definition with all options of its type filled in. */
export type Complete<T extends FieldType> = Required<DefinitionOf<T>> & FieldDefinition

/** The form control for a value in the console; `serve/console/static/field-control.js` renders it. */
export interface FormControl {
  as:
    | 'line'
    | 'lines'
    | 'number'
    | 'checkbox'
    | 'moment'
    | 'choice'
    | 'json'
    | 'point'
    | 'records'
    | 'files'
    | 'password'
  /** The input type of a `line`. @default 'text' */
  input?: 'email' | 'url'
  /** Initial rows of `lines`. @default 1 */
  rows?: number
  /** In a monospaced font. */
  mono?: boolean
  hint?: string
}

/** The tools to generate a value. */
export interface Making {
  faker: Faker
  environment: Environment
  /** Table and field, for messages. */
  place: string
}

/**
 * One field type: everything that the reference and its console need to know about it, in addition to
 * `spec/field-types.ts`. Every file of this folder that is named after a type exports one of these.
 */
export interface FieldKind<T extends FieldType = FieldType> {
  /** Options and their defaults, in addition to the common ones (contract-records 3.1, 9.2). */
  readonly defaults: Required<FieldShapes[T]['options']> & Pick<CommonFieldOptions, 'help' | 'required'>
  readonly column: ColumnKind
  /** Errors in the options (contract-records 9.2). */
  inspect(definition: Complete<T>): DefinitionProblems
  bind(field: FieldOutline<T>): FieldActions
  /** Bytes that the field adds to the body limit of its table. Absent: none. */
  room?(definition: Complete<T>): number
  /**
   * A value that the field accepts. Undefined leaves the field unset.
   *
   * @throws Error that names the place if no value is found
   */
  invent(field: Field<T>, making: Making): unknown
  /** Undefined for a field that takes any JSON value. */
  readonly form: ValueForm | undefined
  /** Whether a value in a row without a table definition implies this field type. */
  infers(value: unknown): boolean
  /** Undefined for a field that clients cannot write. */
  control(definition: Complete<T>): FormControl | undefined
}
