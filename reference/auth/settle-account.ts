/**
 * What a change of an auth record ends (contract-auth 1.5): a new password, email or token key, or an address that
 * becomes verified, invalidates tokens and codes that were issued before.
 *
 * @module
 */

import type { Row, Table, Values, Writer } from '../vocabulary.ts'
import { ownedKinds, ownedRows, removeOwned } from './owned-rows.ts'

function becomesVerified(stored: Row, values: Values): boolean {
  return stored.values.verified !== true && values.verified === true
}

/**
 * Whether a change ends every token of the record. A newly verified address does so if an account was linked to the
 * record while the address was unverified: the owner of that account may be another person.
 */
export function endsTokens(writer: Writer, table: Table, stored: Row, values: Values): boolean {
  if (values.password !== stored.values.password || values.email !== stored.values.email) return true
  return becomesVerified(stored, values) && ownedRows(writer, 'externalAuths', table, stored).length > 0
}

/** Removes what the change invalidates. */
export function settleAccount(writer: Writer, table: Table, stored: Row, row: Row): void {
  if (becomesVerified(stored, row.values)) removeOwned(writer, ['externalAuths'], table, row)
  if (row.values.tokenKey !== stored.values.tokenKey) removeOwned(writer, ['otps'], table, row)
  if (row.values.password !== stored.values.password)
    removeOwned(writer, ['otps', 'mfas', 'authOrigins'], table, row)
}

/** Removes all rows that belonged to a deleted record. */
export function settleRemoval(writer: Writer, table: Table, row: Row): void {
  if (table.type === 'auth') removeOwned(writer, ownedKinds, table, row)
}
