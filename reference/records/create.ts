/**
 * `POST /collections/{table}/records` in the order of contract-records 4.2.
 *
 * @module
 */

import { badRequest } from '../errors.ts'
import { fillGenerated } from '../fields/save-values.ts'
import { validateValues } from '../fields/validate-values.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { Answer } from '../http/respond.ts'
import { manages, passes, requestInfo, ruleFor, scopeOf } from '../rules.ts'
import type { Ask } from '../services.ts'
import type { Row, Writer } from '../vocabulary.ts'
import { accountErrors } from './account-form.ts'
import { findTableToWrite } from './find.ts'
import { renderOne } from './render.ts'
import { save } from './save.ts'
import { submit } from './submit.ts'

const refusal = 'Failed to create record.'

/**
 * Creates a record. The rule is asked about the record as it would become, before any field is checked: a refused
 * caller learns nothing about the fields.
 *
 * @throws ApiError 404 no such table; 403; 400 refused by the rule (without data) or invalid (with data)
 */
export function createRecord(ask: Ask, submitted: SubmittedBody, writer: Writer): Answer {
  const table = findTableToWrite(ask, writer)
  const rule = ruleFor(ask, table, 'create')
  const { environment } = ask.services
  const submission = submit(ask, table, submitted)
  // A record that does not exist yet: nobody has verified anything about it, whatever the body says.
  const id = String(submission.values.id) || environment.newId()
  const unverified = table.type === 'auth' && { verified: false }
  const virtual: Row = { rowid: 0, id, values: { ...submission.values, id, ...unverified } }
  const scope = scopeOf(
    ask,
    writer,
    table,
    requestInfo(ask, { values: submission.body, sent: submission.sent }),
  )
  if (!passes(rule, virtual, scope)) throw badRequest(refusal)

  if (table.type === 'auth') {
    const manager = manages(virtual, scope)
    const errors = accountErrors({ manager, submission, submitted, environment })
    if (Object.keys(errors).length > 0) throw badRequest(refusal, errors)
  }
  const values = fillGenerated(table, submission.values, environment)
  const errors = validateValues(table, values, { reader: writer, uploads: submission.uploads })
  if (Object.keys(errors).length > 0) throw badRequest(refusal, errors)
  const row = save(writer, table, { ...submission, values }, environment, refusal)
  return { status: 200, body: renderOne(ask, writer, table, row) }
}
