/**
 * Finds a record by its identity, with the identity fields of the table (contract-auth 3.1).
 *
 * @module
 */

import { isEmail } from '../fields/is-email.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import { findByUnique } from './account.ts'

/** The fields that may identify a record, in the configured order. */
export function identityFields(table: Table): readonly string[] {
  return table.definition.passwordAuth?.identityFields ?? ['email']
}

/**
 * The record with this identity: by the named field, or by each identity field in order, `email` first.
 *
 * @param named name of a field; empty for any identity field
 */
export function findByIdentity(
  reader: Reader,
  table: Table,
  identity: string,
  named: string,
): Row | undefined {
  if (named !== '') return findByUnique(reader, table, named, identity)
  const inOrder = [...identityFields(table)].sort(
    (one, other) => Number(other === 'email') - Number(one === 'email'),
  )
  for (const field of inOrder) {
    if (field === 'email' && !isEmail(identity)) continue
    const row = findByUnique(reader, table, field, identity)
    if (row !== undefined) return row
  }
  return undefined
}
