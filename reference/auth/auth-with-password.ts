/**
 * `POST /collections/{table}/auth-with-password` (contract-auth section 3).
 *
 * @module
 */

import { quoted } from '../../spec/nearest.ts'
import { badRequest, forbidden, type RejectionReason } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import type { RequestContext } from '../services.ts'
import { lengthError, readAuthBody, throwInvalid } from './auth-body.ts'
import { findAuthTable, switchedOff } from './auth-table.ts'
import { findByIdentity, identityFields } from './find-by-identity.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { verifyPassword } from './passwords.ts'

const notAllowed = { code: 'validation_in_invalid', message: 'Must be a valid value.' }

/** The identity under the key that it has in other interfaces, and in the record. */
function wrongKey(values: Readonly<Record<string, unknown>>): RejectionReason | undefined {
  const key = ['email', 'username', 'login', 'user'].find((name) => Object.hasOwn(values, name))
  return key === undefined ? undefined : () => `"${key}" is not a key here: send "identity".`
}

/**
 * Signs in by password. An unknown identity and a wrong password have the same response, and take the same work.
 *
 * @throws ApiError 404 no such auth table; 403 switched off, or rejected by authRule; 400 body, fields, credentials
 */
export async function authWithPassword(context: RequestContext, request: Request): Promise<OperationResult> {
  const { store, environment } = context.services
  const table = findAuthTable(context, store.current)
  if (!table.definition.passwordAuth?.enabled) {
    throw forbidden(
      switchedOff(table, 'passwordAuth'),
      'The collection is not configured to allow password authentication.',
    )
  }
  const body = await readAuthBody(context, request)
  const identity = body.text('identity')
  const password = body.text('password')
  const field = body.text('identityField')
  const fieldFits = field === '' || identityFields(table).includes(field)
  const tooLong = field === '' ? undefined : lengthError(field)
  throwInvalid(
    {
      identity: lengthError(identity),
      password: lengthError(password),
      identityField: tooLong ?? (fieldFits ? undefined : notAllowed),
    },
    identity === '' ? wrongKey(body.values) : undefined,
  )
  const row = findByIdentity(store.current, table, identity, field)
  const stored = typeof row?.values.password === 'string' ? row.values.password : undefined
  const right = verifyPassword(environment, password, stored, table.field('password'))
  if (row === undefined || !right) {
    throw badRequest(
      () =>
        row === undefined
          ? `No record of "${table.name}" has the identity ${quoted(identity)} in ${identityFields(table).join(' or ')}.`
          : `The password does not match that of ${table.name}/${row.id}.`,
      'Failed to authenticate.',
    )
  }
  return finishSignIn(context, request, { table, row, method: 'password', body: body.values })
}
