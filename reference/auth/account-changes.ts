/**
 * What a change of an auth record ends (contract-auth 1.5): a new password, e-mail or token key, or an address that
 * becomes verified, takes away what was given out before.
 *
 * @module
 */

import type { Row, Table, Values, Writer } from '../vocabulary.ts'
import { ownedKinds, ownedRows, removeOwned } from './system-rows.ts'

function becomesVerified(stored: Row, values: Values): boolean {
  return stored.values.verified !== true && values.verified === true
}

/**
 * Whether a change ends every token of the record. An address that becomes verified does so when somebody linked an
 * account to the record before anyone knew whose it was.
 */
export function endsTokens(writer: Writer, table: Table, stored: Row, values: Values): boolean {
  if (values.password !== stored.values.password || values.email !== stored.values.email) return true
  return becomesVerified(stored, values) && ownedRows(writer, 'externalAuths', table, stored).length > 0
}

/** Removes what does not outlive the change. */
export function settleAccount(writer: Writer, table: Table, stored: Row, row: Row): void {
  if (becomesVerified(stored, row.values)) removeOwned(writer, ['externalAuths'], table, row)
  if (row.values.tokenKey !== stored.values.tokenKey) removeOwned(writer, ['otps'], table, row)
  if (row.values.password !== stored.values.password)
    removeOwned(writer, ['otps', 'mfas', 'authOrigins'], table, row)
}

/** Removes everything that belonged to a record that is gone. */
export function settleRemoval(writer: Writer, table: Table, row: Row): void {
  if (table.type === 'auth') removeOwned(writer, ownedKinds, table, row)
}
