/**
 * The contents of a data file, in one form for all forms of the file.
 *
 * @module
 */

import type { ApiKeyScope, StateJson } from '../reference/reference.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import type { ServedSettings } from './read-settings.ts'

export type DataRow = Readonly<Record<string, unknown>>

export interface ServedData {
  tables: TableDefinition[]
  /** Rows by table name. */
  records: Record<string, DataRow[]>
  superusers: { email: string; password: string }[]
  keys: ApiKeyScope[]
  /** Absent: the defaults. */
  settings?: ServedSettings
  /** Messages about settings without an effect, and about values that almost make a relation. */
  notices?: string[]
  /** Names of tables whose definitions were inferred from their rows. */
  inferred: string[]
  /** The result of `exportState()`: everything at once, instead of the other properties. */
  state?: StateJson
}
