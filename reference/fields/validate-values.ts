/**
 * The second step of a write, after `resolve-body.ts`: each field checks its value.
 *
 * @module
 */

import type { FieldCheckContext, FieldError, Reader, Table, Values } from '../vocabulary.ts'
import { fieldError } from './field-error.ts'

const invalidAuthId = fieldError('validation_invalid_auth_id', 'Invalid or duplicated auth record id.')

/**
 * Validates a whole record, on create and on update alike: returns one error per invalid field. It does not check
 * uniqueness: the store rejects duplicates when it is written to.
 */
export function validateValues(
  table: Table,
  values: Values,
  context: Omit<FieldCheckContext, 'table'>,
): Record<string, FieldError> {
  const full: FieldCheckContext = { ...context, table }
  if (!context.stored && isAuthIdElsewhere(table, values, context.reader)) return { id: invalidAuthId }
  const errors: Record<string, FieldError> = {}
  for (const field of table.fields) {
    const error = field.check(values[field.name] ?? null, full)
    if (error) errors[field.name] = error
  }
  return errors
}

/** Ids are unique across all auth tables, so one token identifies one record. */
function isAuthIdElsewhere(table: Table, values: Values, reader: Reader): boolean {
  if (table.type !== 'auth' || typeof values.id !== 'string') return false
  for (const other of reader.tables()) {
    if (other.type === 'auth' && other.id !== table.id && reader.get(other, values.id)) return true
  }
  return false
}
