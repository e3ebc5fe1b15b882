import type { FieldError, Reader, Table, Upload, Values } from '../vocabulary.ts'
import { fieldError } from './field-error.ts'
import type { BoundField, CheckContext } from './kind.ts'
import { kindOf } from './registry.ts'

/** What validation looks at besides the values. */
export interface ValidationContext {
  readonly reader: Reader
  /** The record as it is stored; absent when it is being created. */
  readonly stored?: Values
  readonly uploads?: ReadonlyMap<string, Upload>
}

const invalidAuthId = fieldError('validation_invalid_auth_id', 'Invalid or duplicated auth record id.')

const checks = new WeakMap<Table, readonly [name: string, check: BoundField['check']][]>()

/**
 * Checks a whole record, on create and on update alike: one error for each field that has one, none when the
 * record is fine. Whether values are unique is not asked here: the store refuses duplicates when it is written to.
 */
export function validateValues(
  table: Table,
  values: Values,
  context: ValidationContext,
): Record<string, FieldError> {
  const full: CheckContext = { ...context, table }
  if (!context.stored && isAuthIdElsewhere(table, values, context.reader)) return { id: invalidAuthId }
  const errors: Record<string, FieldError> = {}
  for (const [name, check] of checksOf(table)) {
    const error = check(values[name] ?? null, full)
    if (error) errors[name] = error
  }
  return errors
}

function checksOf(table: Table): readonly [name: string, check: BoundField['check']][] {
  const known = checks.get(table)
  if (known) return known
  const made = table.fields.map((field): [string, BoundField['check']] => [field.name, kindOf(field).check])
  checks.set(table, made)
  return made
}

/** Ids are unique across all auth tables, so that one token names one record. */
function isAuthIdElsewhere(table: Table, values: Values, reader: Reader): boolean {
  if (table.type !== 'auth' || typeof values.id !== 'string') return false
  for (const other of reader.tables()) {
    if (other.type === 'auth' && other.id !== table.id && reader.get(other, values.id)) return true
  }
  return false
}
