/**
 * The types of this folder: parts of a description, tables and options.
 *
 * @module
 */

import type { Field, RuleName, UniqueIndex } from '../reference/vocabulary.ts'
import type { RuleText, TableInput } from '../spec/table-definition.ts'

/** A JSON Schema, or another part of a description, while it is made. */
export type DescriptionPart = { [keyword: string]: unknown }

/** An operation by method, with what OpenAPI allows for a path. */
export interface PathItem {
  [method: string]: unknown
}

/** An OpenAPI description as a plain object, ready for `JSON.stringify`. */
export interface Description {
  /** Version of OpenAPI, such as `3.1.0`. */
  openapi: string
  /** Title, version and introduction. */
  info: DescriptionPart
  /** Base URLs. */
  servers: DescriptionPart[]
  /** Groups of operations. */
  tags?: DescriptionPart[]
  /** Operations by path and method. */
  paths: { [path: string]: PathItem }
  /** Schemas, parameters and responses that operations refer to. */
  components: { [kind: string]: { [name: string]: DescriptionPart } }
}

/**
 * A table definition in the JSON form that the living family exports. A view has the fields that its query
 * gives.
 */
export type ExportedTable = Omit<TableInput, 'type'> & {
  /** Kind of table. @default 'base' */
  readonly type?: 'base' | 'auth' | 'view'
  /** SQL of a view. It is not run. */
  readonly viewQuery?: string
}

/** Options of `describeTables`. */
export interface DescribeOptions {
  /**
   * Which paths there are. `enum`: one set of paths, in which `{table}` is one of the tables. `per-table`: one set of
   * paths for each table.
   *
   * @default 'enum'
   */
  paths?: 'enum' | 'per-table'
  /**
   * Leaves out everything that the document does not say: parameters, statuses, limits, rules.
   *
   * @default false
   */
  documentOnly?: boolean
  /**
   * Version of OpenAPI: `3.0` for tools that do not read 3.1.
   *
   * @default '3.1'
   */
  openapi?: '3.0' | '3.1'
  /** Path prefix of the server. @default '/api/v1' */
  prefix?: string
  /** URL of the server, without the prefix. @default '/', the origin of the description */
  server?: string
  /** Title of the description. @default the title of the interface */
  title?: string
  /** Whether system tables, such as the table of superusers, are described. @default false */
  system?: boolean
}

/** Sign-in methods that a table may enable. */
export type SignInMethod = 'password' | 'oauth2' | 'otp'

/** A table with every omitted part of its definition filled in. */
export interface DescribedTable {
  readonly id: string
  readonly name: string
  readonly type: 'base' | 'auth' | 'view'
  /** `id` first. In a table that is not a view, `created` and `updated` are always among them. */
  readonly fields: readonly Field[]
  readonly uniqueIndexes: readonly UniqueIndex[]
  /** Of an auth table. */
  readonly signIn: ReadonlySet<SignInMethod>
  /** Whether signing in may take two factors. */
  readonly twoFactors: boolean
  rule(name: RuleName): RuleText
}

/** What the values of a field look like. */
export interface FieldSchemas {
  /** In a response. */
  read: DescriptionPart
  /** In a JSON body. Absent where a request cannot set the field. */
  write?: DescriptionPart
  /** As parts of a form. Absent if the same as in JSON. */
  form?: DescriptionPart
}

export type DescribedField = Field & FieldSchemas
