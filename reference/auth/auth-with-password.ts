/**
 * `POST /collections/{table}/auth-with-password` (contract-auth section 3).
 *
 * @module
 */

import { badRequest, forbidden } from '../errors.ts'
import type { Answer } from '../http/respond.ts'
import type { Ask } from '../services.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import { lengthError, readAuthBody, refuseInvalid } from './auth-body.ts'
import { authResponse, requireAuthRule } from './auth-response.ts'
import { findAuthTable } from './auth-table.ts'
import { verifyPassword } from './passwords.ts'

/** Shape that an identity needs to be looked up among e-mail addresses. */
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The fields that may identify a record, `email` first. */
export function identityFields(table: Table): string[] {
  const fields = table.definition.passwordAuth?.identityFields ?? ['email']
  return [...fields].sort((one, other) => Number(other === 'email') - Number(one === 'email'))
}

/** By the unique index of one identity field: its collation decides about letter case. */
function findBy(reader: Reader, table: Table, field: string, identity: string): Row | undefined {
  const index = table.uniqueIndexes.find(({ columns }) => columns.length === 1 && columns[0]?.field === field)
  return index && reader.lookup(table, index, [identity])
}

function findIdentity(
  reader: Reader,
  table: Table,
  fields: readonly string[],
  identity: string,
): Row | undefined {
  for (const field of fields) {
    if (field === 'email' && fields.length > 1 && !emailShape.test(identity)) continue
    const row = findBy(reader, table, field, identity)
    if (row) return row
  }
  return undefined
}

/**
 * Signs in by password. Unknown identity and wrong password are one answer, and take the same time.
 *
 * @throws ApiError 404 no such auth table; 403 switched off, or refused by authRule; 400 body, fields, credentials
 */
export async function authWithPassword(asked: Ask, request: Request): Promise<Answer> {
  const ask: Ask = { ...asked, context: 'password' }
  const { store, environment, tokens } = ask.services
  const table = findAuthTable(ask, store.current)
  if (table.definition.passwordAuth?.enabled === false) {
    throw forbidden('The collection is not configured to allow password authentication.')
  }
  const body = await readAuthBody(ask, request)
  const identity = body.text('identity')
  const password = body.text('password')
  const wanted = body.text('identityField')
  const allowed = identityFields(table)
  refuseInvalid({
    identity: lengthError(identity),
    password: lengthError(password),
    identityField:
      wanted === '' || allowed.includes(wanted)
        ? undefined
        : { code: 'validation_in_invalid', message: 'Must be a valid value.' },
  })
  const reader = store.current
  const row = findIdentity(reader, table, wanted === '' ? allowed : [wanted], identity)
  const stored = typeof row?.values.password === 'string' ? row.values.password : undefined
  if (!verifyPassword(environment, password, stored) || row === undefined)
    throw badRequest('Failed to authenticate.')
  requireAuthRule(ask, reader, table, row, body.values)
  return authResponse(ask, reader, table, row, await tokens.sign(table, row, 'auth'))
}
