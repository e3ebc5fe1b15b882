/**
 * `POST /collections/{table}/records` in the order of contract-records 4.2.
 *
 * @module
 */

import { randomPassword as randomPasswordText } from '../auth/account.ts'
import { badRequest, type ErrorData } from '../errors.ts'
import { toText } from '../fields/cast.ts'
import { fillGenerated } from '../fields/fill-generated.ts'
import { isTooLongToHash } from '../fields/password.ts'
import { validateValues } from '../fields/validate-values.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { OperationResult } from '../http/respond.ts'
import { unkeptParts } from '../reasons/notes.ts'
import { invalidFields, unmetRule } from '../reasons/reasons.ts'
import { manages, passes, requestInfo, ruleFor, ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Row, Table, Writer } from '../vocabulary.ts'
import { accountErrors } from './account-errors.ts'
import { findTableToWrite } from './find.ts'
import { renderOne } from './render.ts'
import { save } from './save.ts'
import { submitBody } from './submit-body.ts'

const rejection = 'Failed to create record.'

/** How to create a record that a client did not send as such. */
export interface MakeOptions {
  /** If the body has no password the record gets a random one that no one knows, whatever its field requires. */
  randomPassword?: boolean
}

/**
 * Creates a record. The rule is evaluated for the record as it would be stored, before any field is validated: a
 * rejected caller learns nothing about the fields.
 *
 * @throws ApiError 404 no such table; 403; 400 rejected by the rule (without data) or invalid (with data)
 */
export function makeRecord(
  context: RequestContext,
  submitted: SubmittedBody,
  writer: Writer,
  { randomPassword = false }: MakeOptions = {},
): Row {
  const table = findTableToWrite(context, writer)
  const rule = ruleFor(context, table, 'create')
  const { environment } = context.services
  const submission = submitBody(context, table, submitted)
  // The record does not exist yet, so nothing about it is verified, whatever the body contains.
  const id = String(submission.values.id) || environment.newId()
  const unverified = table.type === 'auth' && { verified: false }
  const virtual: Row = { rowid: 0, id, values: { ...submission.values, id, ...unverified } }
  const scope = ruleScope(
    context,
    writer,
    table,
    requestInfo(context, { values: submission.body, sent: submission.sent }),
  )
  if (!passes(rule, virtual, scope))
    throw badRequest(unmetRule(context, 'createRule', rule, virtual, scope), rejection)
  if (isLimited(context) && hasUnhashable(table, submission.values))
    throw badRequest(() => 'The password is too long: 72 bytes at most.', rejection)

  const invalid = (errors: ErrorData) =>
    badRequest(invalidFields(table, submitted, errors), rejection, errors)
  const locked = randomPassword && submission.values.password === ''
  if (table.type === 'auth') {
    const manager = manages(virtual, scope)
    const errors = accountErrors({ manager, submission, submitted, environment })
    if (locked) for (const name of ['password', 'passwordConfirm']) delete errors[name]
    if (Object.keys(errors).length > 0) throw invalid(errors)
  }
  const values = fillGenerated(table, submission.values, environment)
  const errors = validateValues(table, values, { reader: writer, uploads: submission.uploads })
  if (locked) delete errors.password
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const record = { table, submission: { ...submission, values }, environment, rejection }
  if (!locked) return save(writer, record)
  const password = randomPasswordText(environment)
  const sent = new Set([...submission.sent, 'password'])
  return save(writer, { ...record, submission: { ...submission, values: { ...values, password }, sent } })
}

/** Whether a rule limits the caller on this table. */
function isLimited({ caller }: RequestContext): boolean {
  return caller.kind !== 'superuser' && caller.kind !== 'key'
}

/** A password too long to hash: the living family rejects it before it validates any field (contract-records 3.2). */
function hasUnhashable(table: Table, values: Row['values']): boolean {
  return table.fields.some(({ type, name }) => type === 'password' && isTooLongToHash(toText(values[name])))
}

/** @throws ApiError as `makeRecord` does */
export function createRecord(
  context: RequestContext,
  submitted: SubmittedBody,
  writer: Writer,
): OperationResult {
  const row = makeRecord(context, submitted, writer)
  const table = findTableToWrite(context, writer)
  return {
    status: 200,
    body: renderOne(context, writer, table, row),
    note: unkeptParts(table, submitted),
  }
}
