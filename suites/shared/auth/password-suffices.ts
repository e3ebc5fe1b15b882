/**
 * Whether a password, a code, or a provider signs in alone. Which methods a table has is its own decision, which auth-methods reports
 * (document, section 5), and so is whether it needs a second factor (section 4.2). A server that is consistent there is not
 * accused; one that contradicts its own report is.
 *
 * @module
 */

import { recognizedMethods } from '../../../harness/explore/reported-methods.ts'
import { UntestableError } from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { sessionIn } from './session-in.ts'

type Reader = Pick<CheckContext, 'api' | 'binding'>

async function reportedMethods({ api, binding }: Reader, table: TableRef) {
  const response = await api.authMethods(table)
  return response.ok ? recognizedMethods(response.body, binding) : undefined
}

/** To be called with a response to the right password that has no token. @throws UntestableError as `passwordHindrance` */
export async function expectPasswordSuffices(
  context: Reader,
  table: TableRef,
  response: ApiResponse,
): Promise<void> {
  const hindrance = await passwordHindrance(context, table, response)
  if (hindrance !== undefined) throw hindrance
}

/**
 * What lawfully keeps the right password from signing in: the table needs a second factor, or reports no sign-in by password
 * and rejects it. Undefined: nothing.
 */
export async function passwordHindrance(
  context: Reader,
  table: TableRef,
  response: ApiResponse,
): Promise<UntestableError | undefined> {
  if (response.status >= 500 || sessionIn(response).token !== undefined) return undefined
  if (mfaIdIn(response) !== undefined) return factorHindrance(context, table, response)
  const reported = await reportedMethods(context, table)
  if (reported === undefined || reported.password === true) return undefined
  return new UntestableError(
    `auth-methods of ${table.name} reports no sign-in by password, and the server rejects it (${responseSummary(response, 100)})`,
    otherTable(table, 'passwords', 'passwordless'),
  )
}

/** What keeps any first factor from signing in: the table needs a second one. Undefined: nothing, or its report denies it. */
export async function factorHindrance(
  context: Reader,
  table: TableRef,
  response: ApiResponse,
): Promise<UntestableError | undefined> {
  if (sessionIn(response).token !== undefined || mfaIdIn(response) === undefined) return undefined
  return (await reportedMethods(context, table))?.mfa === false ? undefined : halfway(table, response)
}

/**
 * To be called with a response to the right code that has no token. A table that needs a second factor may take the password
 * first, and reject a code alone in any way.
 *
 * @throws UntestableError if the table needs a second factor
 */
export async function expectCodeSuffices(
  context: Reader,
  { table, email, password }: { table: TableRef; email: string; password: string },
  response: ApiResponse,
): Promise<void> {
  if (response.status >= 500 || sessionIn(response).token !== undefined) return
  const isHalfway = (each: ApiResponse) => mfaIdIn(each) !== undefined
  const byPassword = () => context.api.authWithPassword(table, { identity: email, password })
  if (!isHalfway(response) && !isHalfway(await byPassword())) return
  if ((await reportedMethods(context, table))?.mfa !== false) throw halfway(table, response)
}

/**
 * A report that says that multi-factor authentication is off leaves no room for an `mfaId`: the response to a password is a
 * session then (document, section 4.2). A report need not mention it: it is not a sign-in method (section 5).
 */
function halfway(table: TableRef, response: ApiResponse): UntestableError {
  return new UntestableError(
    `${table.name} needs a second factor: the first alone signs no one in (${responseSummary(response, 100)})`,
    otherTable(table, 'one factor', 'mfa'),
  )
}

/** The line that maps another table to a role, and this table to the role that it fits. */
function otherTable({ role, name }: TableRef, what: string, fits: string): string {
  const line = `"${role}": { "name": "<an auth table with ${what}>" }, "${fits}": { "name": ${JSON.stringify(name)} }`
  return `target file: "tables": { ${line} }, or { "${role}": false } if there is no other`
}
