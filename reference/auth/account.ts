/**
 * Auth records as the sign-in operations find and change them.
 *
 * @module
 */

import { alphanumeric } from '../environment/alphanumeric.ts'
import type { ErrorData } from '../errors.ts'
import { badRequest, inResponse } from '../errors.ts'
import { isEmail } from '../fields/is-email.ts'
import { validateValues } from '../fields/validate-values.ts'
import { save } from '../records/save.ts'
import { indexKey } from '../store/index-key.ts'
import { soleColumn } from '../tables/sole-column.ts'
import type { Environment, Reader, Row, Table, UniqueIndex, Value, Values, Writer } from '../vocabulary.ts'
import { lengthError } from './auth-body.ts'

/** A random password that no one knows. */
export function randomPassword(environment: Environment): string {
  return environment.random(alphanumeric, 40)
}

function uniqueIndexOf(table: Table, field: string): UniqueIndex | undefined {
  return table.uniqueIndexes.find((one) => soleColumn(one)?.field === field)
}

/** The value that the field's column compares: a number if the field holds numbers and the string is a number. */
function asColumn(table: Table, field: string, text: string): Value {
  const isNumber = table.field(field)?.type === 'number' && /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(text)
  return isNumber ? Number(text) : text
}

/** Finds a record by the unique index of one field. The collation of the index decides whether letter case counts. */
export function findByUnique(reader: Reader, table: Table, field: string, value: string): Row | undefined {
  const index = uniqueIndexOf(table, field)
  return index && value !== '' ? reader.lookup(table, index, [asColumn(table, field, value)]) : undefined
}

export function findByEmail(reader: Reader, table: Table, email: string): Row | undefined {
  return findByUnique(reader, table, 'email', email)
}

/** Maps addresses to one key if they could only belong to one record. The index of the table decides which ones do. */
export function emailKey(table: Table, email: string): string {
  const index = uniqueIndexOf(table, 'email')
  return (index && indexKey(index, [email])) ?? email
}

/** The email address of a record; empty if it has none. */
export function emailOf(row: Row): string {
  return String(row.values.email ?? '')
}

/** The error of an address that is blank, too long or malformed; undefined if it is fine. */
export function emailError(text: string): ErrorData[string] | undefined {
  const error = lengthError(text)
  if (error !== undefined) return error
  return isEmail(text)
    ? undefined
    : { code: 'validation_is_email', message: 'Must be a valid email address.' }
}

/** What the server itself changes in an auth record. `password` is plain text. */
export interface AccountChange {
  readonly password?: string
  readonly email?: string
  readonly verified?: boolean
}

interface ChangeOptions {
  /** Validates the whole record first. Without it, stored and new values are trusted. */
  rejection?: string
}

/**
 * Changes an auth record, and ends the tokens and codes that the change invalidates.
 *
 * @throws ApiError 400 with field errors, when `rejection` is given or the email is taken
 */
export function changeAccount(
  writer: Writer,
  table: Table,
  stored: Row,
  change: AccountChange,
  environment: Environment,
  { rejection }: ChangeOptions = {},
): Row {
  const values: Values = { ...stored.values, ...(change as Record<string, Value>) }
  if (rejection !== undefined) {
    const errors = validateValues(table, values, { reader: writer, stored: stored.values })
    if (Object.keys(errors).length > 0) throw badRequest(inResponse, rejection, errors)
  }
  const submission = { values, body: {}, sent: new Set(Object.keys(change)), uploads: new Map() }
  const message = rejection ?? 'Failed to authenticate.'
  return save(writer, { table, submission, stored, environment, rejection: message })
}
