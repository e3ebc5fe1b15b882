/**
 * How filters and sort orders read a field. A field type takes one of these as it is, or changes a part of it.
 *
 * @module
 */

import { sqlValue } from '../query/sql-value.ts'
import type { ColumnKind } from '../vocabulary.ts'

export const textColumn: ColumnKind = {
  affinity: 'text',
  numeric: false,
  exact: false,
  list: false,
  inside: false,
  secret: false,
  read: sqlValue,
}

export const numberColumn: ColumnKind = { ...textColumn, affinity: 'number', numeric: true }

export const listColumn: ColumnKind = { ...textColumn, list: true }
