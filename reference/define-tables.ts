/**
 * The types of an application's records, inferred from its table definitions. Types only, and one function that does
 * nothing at run time.
 *
 * @module
 */

import type { DefinitionOf, FieldShapes, FieldType } from '../spec/field-types.ts'
import type { FieldInput, TableInput } from '../spec/table-definition.ts'
import type { Json } from './vocabulary.ts'

export type { TableInput } from '../spec/table-definition.ts'
/** Table definitions, as `createReference` and `defineTables` take them. */
export type TableInputs = readonly TableInput[]

/** The type of an option that does not exist: nothing has it, and its name is what the compiler's error shows. */
interface NotAnOption<Name extends PropertyKey, Of extends string> {
  readonly error: `${Name & string} is not an option of ${Of}`
}

/** A computed key, of type `string`, may be any of them. */
type ExactOption<Name extends PropertyKey, Known, Of extends string> = Name extends Known
  ? unknown
  : string extends Name
    ? unknown
    : NotAnOption<Name, Of>

type OptionNames<T> = T extends FieldType ? keyof DefinitionOf<T> : never

type ExactField<F> = F extends { readonly type: infer T extends FieldType }
  ? { readonly [K in keyof F]: ExactOption<K, OptionNames<T>, `a field of type ${T}`> }
  : unknown

type ExactFields<Fields> = { readonly [I in keyof Fields]: ExactField<Fields[I]> }

type ExactTable<T> = {
  readonly [K in keyof T]: K extends 'fields'
    ? ExactFields<T[K]>
    : ExactOption<K, keyof TableInput, 'a table'>
}

type EachExact<Tables> = { readonly [I in keyof Tables]: ExactTable<Tables[I]> }

/**
 * Rejects options that a table, or a field of its type, does not have: `Tables & ExactTables<Tables>`. Inferred types
 * alone accept them, since an object with more properties still has the type. A generic function that passes table
 * definitions on declares its parameter in the same way.
 */
export type ExactTables<Tables> = Tables extends EachExact<Tables> ? unknown : EachExact<Tables>

type Flat<T> = { [K in keyof T]: T[K] } & {}

/** True if the value is a list. */
type IsList<F> = F extends { readonly maxSelect: infer M extends number }
  ? M extends 0 | 1
    ? false
    : true
  : false

type OneOrMany<F, One, Empty> =
  IsList<F> extends true ? One[] : IsList<F> extends false ? One | Empty : One | One[]

type Unset<F> = F extends { readonly required: true } ? never : ''

/** The type of a value in a record: a list if the field is multiple, otherwise the value of its type. */
type FieldValue<F> = F extends {
  readonly type: 'select'
  readonly values: readonly (infer V extends string)[]
}
  ? OneOrMany<F, V, Unset<F>>
  : F extends { readonly type: 'relation' | 'file' }
    ? OneOrMany<F, string, never>
    : F extends { readonly type: 'json' }
      ? Json
      : F extends { readonly type: infer T extends FieldType }
        ? FieldShapes[T]['value']
        : never

/** A record can be given instead of its id. */
type Related = string | { readonly id: string }
type Uploadable = Blob | string

/** The type of a given value: unless stated otherwise, the type of the value in a record. */
type FieldWrite<F> = F extends { readonly type: 'relation' }
  ? Related | readonly Related[]
  : F extends { readonly type: 'file' }
    ? Uploadable | readonly Uploadable[]
    : F extends { readonly type: 'date' }
      ? string | Date
      : F extends { readonly type: 'select'; readonly values: readonly (infer V extends string)[] }
        ? V | '' | readonly V[]
        : F extends { readonly type: infer T extends FieldType }
          ? FieldShapes[T]['value']
          : never

type FieldsOf<T extends TableInput> = T extends { readonly fields: readonly (infer F extends FieldInput)[] }
  ? F
  : never

/** What every record has. */
export interface SystemFields<Name extends string = string> {
  /** Unique in its table. */
  id: string
  /** Id of the table. */
  collectionId: string
  /** Name of the table. */
  collectionName: Name
  /** Time of creation: `2026-01-31 10:00:00.000Z`. */
  created: string
  /** Time of the last change, in the same form. */
  updated: string
}

interface AuthFields {
  email: string
  emailVisibility: boolean
  verified: boolean
}

type AuthPart<T extends TableInput> = T extends { readonly type: 'auth' } ? AuthFields : unknown
type AuthWrite<T extends TableInput> = T extends { readonly type: 'auth' }
  ? Partial<AuthFields> & { password?: string }
  : unknown

type Stamped = 'autodate'

/** True if the definitions were typed so widely that nothing is known about the table. */
type IsUnknown<T extends TableInput> = string extends T['name'] ? true : false
/** Values of an unknown table. */
export type AnyValues = { readonly [field: string]: unknown }

/** A record of any table. */
export type AnyRecord = SystemFields<string> & AnyValues

/** A record of a table as read by a superuser, with all fields. */
export type RecordOf<T extends TableInput> = IsUnknown<T> extends true ? AnyRecord : KnownRecordOf<T>

type KnownRecordOf<T extends TableInput> = Flat<
  SystemFields<T['name']> & {
    [F in FieldsOf<T> as F extends { readonly type: 'password' } ? never : F['name']]: FieldValue<F>
  } & AuthPart<T>
> & { expand?: Readonly<Record<string, unknown>> }

/** A record of the table, or its id. */
export type RecordOrId<Name extends string = string> =
  | string
  | {
      /** Id of the record. */
      readonly id: string
      /** Name of its table, as in every record. */
      readonly collectionName?: Name | undefined
    }

/** The values that a change may contain. */
export type ChangesOf<T extends TableInput> = IsUnknown<T> extends true ? AnyValues : KnownChangesOf<T>

type KnownChangesOf<T extends TableInput> = Flat<
  { id?: string } & {
    [F in FieldsOf<T> as F['type'] extends Stamped ? never : F['name']]?: FieldWrite<F>
  } & AuthWrite<T>
>

/** The values that creating a record requires or allows. */
export type NewRecordOf<T extends TableInput> = IsUnknown<T> extends true ? AnyValues : KnownNewRecordOf<T>

type KnownNewRecordOf<T extends TableInput> = Flat<
  KnownChangesOf<T> & {
    [F in FieldsOf<T> as F extends { readonly required: true } ? F['name'] : never]: FieldWrite<F>
  }
>

/** Names of these tables. */
export type TableName<Tables extends TableInputs> = Tables[number]['name']
/** The one of these tables that has this name. */
export type TableNamed<Tables extends TableInputs, Name extends string> = Tables[number] extends infer T
  ? T extends TableInput
    ? Name extends T['name']
      ? T
      : never
    : never
  : never

/** Widely typed definitions all mean the same: any tables. */
export type KnownField<Tables extends TableInputs> = string extends TableName<Tables> ? TableInputs : Tables

/** Records by table name: `Records<typeof tables>['posts']`. */
export type Records<Tables extends TableInputs> = {
  [Name in TableName<Tables>]: RecordOf<TableNamed<Tables, Name>>
}

/**
 * Keeps the names and options of table definitions in their type. At run time it returns them unchanged and
 * unchecked: `createReference` rejects invalid ones.
 *
 * @example
 * ```ts
 * import { defineTables, type Records } from 'record-auth-conformance/reference'
 *
 * const tables = defineTables([{ name: 'posts', fields: [{ name: 'title', type: 'text' }] }])
 * type Post = Records<typeof tables>['posts']
 * ```
 */
export function defineTables<const Tables extends TableInputs>(tables: Tables & ExactTables<Tables>): Tables {
  return tables
}
