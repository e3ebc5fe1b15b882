/**
 * What the store reports to its watchers: realtime subscriptions follow from it.
 *
 * @module
 */

import type { Reader, Row, Table } from '../vocabulary.ts'

/** One record that a transaction wrote. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete'
  readonly table: Table
  /** As it was written; for a deletion, as it was before. */
  readonly row: Row
}

/** A transaction that succeeded and wrote something. */
export interface Commit {
  /** The state before the transaction. */
  readonly before: Reader
  /** The state after the transaction. */
  readonly after: Reader
  /** In the order of the writes. */
  readonly changes: readonly Change[]
}
