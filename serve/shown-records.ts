/**
 * Records as the control endpoints show them: with hidden fields, and without secrets.
 *
 * @module
 */

import { storedSecrets } from '../exchange/secrets/secret-key.ts'
import type { Row, Table } from '../reference/vocabulary.ts'

export type ShownRecord = Record<string, unknown>

/** A record with its hidden fields, but without password, hash or token key. */
export function shownRecord(table: Table, row: Row): ShownRecord {
  const shown = table.fields.filter(({ name, type }) => type !== 'password' && !storedSecrets.has(name))
  return Object.fromEntries(
    shown.map((field) => [field.name, field.render(row.values[field.name] ?? field.zero)]),
  )
}
