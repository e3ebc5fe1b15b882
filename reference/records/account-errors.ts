/**
 * What creating and updating an auth record requires in addition to its fields: the password twice, the old password,
 * and that only a manager sets `verified` or `email` directly (contract-records 4.7, contract-auth 10.3 and 10.4).
 *
 * These errors are reported before, and without, the errors of the fields.
 *
 * @module
 */

import { verifyPassword } from '../auth/passwords.ts'
import { blank, type ErrorData, mismatch } from '../errors.ts'
import { toText } from '../fields/cast.ts'
import type { ResolvedBody } from '../fields/resolve-body.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import type { Environment, FieldError, Row } from '../vocabulary.ts'

const wrongOldPassword: FieldError = {
  code: 'validation_invalid_old_password',
  message: 'Missing or invalid old password.',
}

interface Account {
  /** The record before the change; absent if it is being created. */
  stored?: Row
  /** Whether the caller manages the record. */
  manager: boolean
  submission: ResolvedBody
  submitted: SubmittedBody
  environment: Environment
}

/** Errors by field name; empty if there are none. */
export function accountErrors({ stored, manager, submission, submitted, environment }: Account): ErrorData {
  const errors: ErrorData = {}
  const text = (key: string) => toText(submitted.values[key] ?? '')
  const sentPassword = text('password')
  const confirmation = text('passwordConfirm')
  const oldPassword = text('oldPassword')
  const wanted = stored === undefined || sentPassword !== '' || confirmation !== '' || oldPassword !== ''
  if (wanted) {
    if (sentPassword === '') errors.password = blank
    if (confirmation === '') errors.passwordConfirm = blank
    else if (confirmation !== sentPassword) errors.passwordConfirm = mismatch
  }
  if (stored !== undefined && !manager && (sentPassword !== '' || confirmation !== '')) {
    if (oldPassword === '') errors.oldPassword = blank
    else if (!verifyPassword(environment, oldPassword, String(stored.values.password)))
      errors.oldPassword = wrongOldPassword
  }
  if (!manager) {
    const { values } = submission
    if (values.verified !== (stored?.values.verified ?? false)) errors.verified = mismatch
    if (stored !== undefined && values.email !== stored.values.email) errors.email = mismatch
  }
  return errors
}
