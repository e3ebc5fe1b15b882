/**
 * Which tables have an operation, and which credentials it takes: by type, sign-in methods and rules.
 *
 * @module
 */

import type { RuleName } from '../reference/vocabulary.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { guestsMayPass } from './guests.ts'
import type { DescribedTable, SignInMethod } from './vocabulary.ts'

/** Operations that a table has only if a sign-in method is enabled (contract-auth 3 to 7). */
const byMethod: Partial<Record<OperationId, SignInMethod>> = {
  authWithPassword: 'password',
  requestPasswordReset: 'password',
  confirmPasswordReset: 'password',
  authWithOAuth2: 'oauth2',
  requestOtp: 'otp',
  authWithOtp: 'otp',
}

const byRule: Partial<Record<OperationId, RuleName>> = {
  listRecords: 'listRule',
  viewRecord: 'viewRule',
  createRecord: 'createRule',
  updateRecord: 'updateRule',
  deleteRecord: 'deleteRule',
}

const writes: readonly OperationId[] = ['createRecord', 'updateRecord', 'deleteRecord']

/** Sets of tables that have the same operations, as a parameter names them. */
export type TableGroup = 'table' | 'writableTable' | 'authTable' | `${SignInMethod}Table`

/** @param documentOnly the document does not show which methods a definition enables */
export function groupOf(operation: OperationId, documentOnly: boolean): TableGroup {
  if (writes.includes(operation)) return 'writableTable'
  if (operation in byRule) return 'table'
  const method = documentOnly ? undefined : byMethod[operation]
  return method === undefined ? 'authTable' : `${method}Table`
}

export function isInGroup({ type, signIn }: DescribedTable, group: TableGroup): boolean {
  if (group === 'table') return true
  if (group === 'writableTable') return type !== 'view'
  if (group === 'authTable') return type === 'auth'
  return signIn.has(group.slice(0, -'Table'.length) as SignInMethod)
}

/** Alternatives of credentials, as OpenAPI lists them: `{}` for none. */
export type Security = Readonly<Record<string, readonly string[]>>[]

/**
 * The credentials with which an operation can succeed on at least one of the tables, according to their rules: without
 * a rule superusers and keys only, and no guests if no guest can satisfy it.
 */
export function securityFor(
  general: Security,
  operation: OperationId,
  tables: readonly DescribedTable[],
): Security {
  const rule = byRule[operation]
  if (rule === undefined) return general
  const open = tables.some((table) => guestsMayPass(table.rule(rule), table))
  const users = tables.some((table) => table.rule(rule) !== null)
  return general.filter((alternative) => {
    const names = Object.keys(alternative)
    if (names.length === 0) return open
    return users || !names.includes('userSession')
  })
}
