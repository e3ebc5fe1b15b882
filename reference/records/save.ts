/**
 * Writes a validated record to the store: autodates, password hashes, token keys and files (contract-records 3.6, 3.8,
 * 4.5, 4.7).
 *
 * @module
 */

import { withHashedPasswords } from '../auth/passwords.ts'
import { endsTokens, settleAccount } from '../auth/settle-account.ts'
import { isSuperusersTable } from '../auth/superusers.ts'
import { badRequest, type ErrorData, notUnique } from '../errors.ts'
import { stampDates } from '../fields/fill-generated.ts'
import type { ResolvedBody } from '../fields/resolve-body.ts'
import { UniqueViolation } from '../store/unique-violation.ts'
import type { Environment, Row, Table, Values, Writer } from '../vocabulary.ts'

/** A record to write. */
interface RecordToSave {
  table: Table
  submission: ResolvedBody
  /** The record to replace. Without it, a new one is inserted. */
  stored?: Row
  environment: Environment
  /** The message of a 400. */
  rejection: string
}

/** Hashes the plain text passwords that were sent, and ends the tokens that the change invalidates. */
function protect(writer: Writer, { table, submission, stored, environment }: RecordToSave): Values {
  const values = withHashedPasswords(table, submission.values, environment, (_, { name }) =>
    submission.sent.has(name),
  )
  if (isSuperusersTable(table)) values.verified = true
  const tokenKey = table.field('tokenKey')
  if (table.type !== 'auth' || tokenKey === undefined || stored === undefined) return values
  if (values.tokenKey === stored.values.tokenKey && endsTokens(writer, table, stored, values)) {
    values.tokenKey = tokenKey.modifiers.autogenerate?.('', '', environment) ?? ''
  }
  return values
}

function fileNames(table: Table, values: Values): Set<string> {
  const names = new Set<string>()
  for (const field of table.fields) {
    if (field.type !== 'file') continue
    const value = values[field.name]
    for (const name of Array.isArray(value) ? value : [value])
      if (typeof name === 'string' && name) names.add(name)
  }
  return names
}

/** Stores the uploads that the record names, and removes files that it no longer names. */
function keepFiles(writer: Writer, { table, submission, stored, environment }: RecordToSave, row: Row): void {
  const modified = environment.now()
  const names = fileNames(table, row.values)
  for (const [name, upload] of submission.uploads) {
    if (names.has(name))
      writer.putFile(table, row.id, name, { bytes: upload.bytes, type: upload.type, modified })
  }
  if (stored === undefined) return
  for (const name of fileNames(table, stored.values))
    if (!names.has(name)) writer.removeFile(table, row.id, name)
}

/** Removes the files of a record that is being deleted. */
export function dropFiles(writer: Writer, table: Table, row: Row): void {
  for (const name of fileNames(table, row.values)) writer.removeFile(table, row.id, name)
}

/** @throws ApiError 400 with every field of the unique index that already contains the values */
export function save(writer: Writer, record: RecordToSave): Row {
  const { table, stored, environment, rejection } = record
  const event = stored === undefined ? 'create' : 'update'
  const values = stampDates(table, protect(writer, record), event, environment.now())
  try {
    const row = stored === undefined ? writer.insert(table, values) : writer.replace(table, stored, values)
    keepFiles(writer, record, row)
    if (table.type === 'auth' && stored !== undefined) settleAccount(writer, table, stored, row)
    return row
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw badRequest(
      () =>
        `Another record of "${table.name}" has the same values of the unique index "${error.index}" (${error.columns.join(', ')}).`,
      rejection,
      blame(table, error),
    )
  }
}

/** Every column of the index; none for an index of an expression, whose columns may differ (contract-records 4.5). */
function blame(table: Table, { index: name, columns }: UniqueViolation): ErrorData {
  const index = table.uniqueIndexes.find((one) => one.name === name)
  if (index?.columns.some(({ through }) => through !== undefined)) return {}
  return Object.fromEntries(columns.map((column) => [column, notUnique]))
}
