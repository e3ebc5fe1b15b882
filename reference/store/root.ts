/**
 * One state of the store. A snapshot or a fork only keeps a reference to one.
 *
 * @module
 */

import type { Table } from '../vocabulary.ts'
import type { TableData } from './table-data.ts'

/** All tables and all records at one moment. Never changed after it is created; a commit replaces it. */
export interface Root {
  /** By id. */
  readonly tables: ReadonlyMap<string, Table>
  /** By lower-cased name. */
  readonly names: ReadonlyMap<string, Table>
  /** By table id. */
  readonly data: ReadonlyMap<string, TableData>
}

export const emptyRoot: Root = { tables: new Map(), names: new Map(), data: new Map() }
