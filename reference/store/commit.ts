import type { Reader, Row, Table } from '../vocabulary.ts'

/** One record that a transaction wrote. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete'
  readonly table: Table
  /** As it was written; for a deletion, as it was last. */
  readonly row: Row
}

/** A transaction that ended well and wrote something. */
export interface Commit {
  /** The state that it started from. */
  readonly before: Reader
  /** The state that it left. */
  readonly after: Reader
  /** In the order in which they were written. */
  readonly changes: readonly Change[]
}
