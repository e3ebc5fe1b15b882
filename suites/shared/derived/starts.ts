/**
 * The valid requests with which walks along the links begin, each about a record or an account of its own.
 *
 * @module
 */

import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { type Account, newAccount, newEmail } from '../auth/accounts.ts'
import { admittedPerson, newProviderPerson, oauthBody, visitProvider } from '../auth/oauth.ts'
import { type SignedIn, sessionOf } from '../auth/sessions.ts'
import { offersProvider } from '../auth/sign-in-by-provider.ts'
import { equals } from '../lists/shared-records.ts'
import type { Draft } from './draft.ts'
import { draftOf, validBatchRequest, validRecordRequest } from './valid-record-request.ts'
import type { Start } from './walks.ts'

/** A position of a walk: a request, who sends it, and the account that it is about. */
export interface Position {
  draft: Draft
  as: Api
  table: TableRef
  /** Absent: no account, or one that only the provider knows. */
  me?: Account | SignedIn
  /** The record that the walk may change. Absent: what it creates. */
  only?: string
}

export const recordStarts: readonly Start[] = [
  { operation: 'listRecords', role: 'plain' },
  { operation: 'createRecord', role: 'plain' },
  { operation: 'viewRecord', role: 'plain' },
  { operation: 'updateRecord', role: 'plain' },
  { operation: 'batch', role: 'plain' },
]

export const accountStarts: readonly Start[] = [
  { operation: 'listAuthMethods', role: 'oauth' },
  { operation: 'authWithPassword', role: 'members' },
  { operation: 'authWithPassword', role: 'mfa', factors: true },
  { operation: 'authWithOAuth2', role: 'oauth' },
  { operation: 'authWithOAuth2', role: 'mfa', factors: true },
  { operation: 'requestOtp', role: 'members' },
  { operation: 'requestOtp', role: 'mfa', factors: true },
  { operation: 'authRefresh', role: 'members' },
  { operation: 'impersonate', role: 'members' },
  { operation: 'requestVerification', role: 'members' },
  { operation: 'requestPasswordReset', role: 'members' },
  { operation: 'requestEmailChange', role: 'members' },
]

/** Whether the target has all that the walk begins with. */
export function canStart(context: CheckContext, { operation, role, factors }: Start): boolean {
  if (!context.hasTable(role) || !context.mayExist(operation)) return false
  if (factors === true && !(context.has('mfa') && context.has('otp') && context.has('mail'))) return false
  switch (operation) {
    case 'batch':
      return context.has('batch')
    case 'listAuthMethods':
    case 'authWithOAuth2':
      return offersProvider(context)
    case 'requestOtp':
      return context.has('otp') && context.has('mail')
    case 'impersonate':
      return context.knows('superuser') && context.has('impersonation')
    case 'requestVerification':
    case 'requestPasswordReset':
    case 'requestEmailChange':
      return context.has('mail')
    default:
      return true
  }
}

export async function begin(context: CheckContext, { operation, role }: Start): Promise<Position> {
  const table = context.table(role)
  switch (operation) {
    case 'listRecords': {
      const title = context.unique('title')
      const { id } = await context.make(table, { title })
      const filter = equals(context, table, 'title', title)
      const draft: Draft = { ...draftOf(operation, { table: table.name }), query: [['filter', filter]] }
      return { draft, as: context.api, table, only: id }
    }
    case 'createRecord':
    case 'viewRecord':
    case 'updateRecord':
    case 'deleteRecord':
      return { ...(await validRecordRequest(context, operation)), table }
    case 'batch':
      return { ...(await validBatchRequest(context)), table }
    case 'listAuthMethods':
      return { draft: draftOf(operation, { table: table.name }), as: context.api, table }
    case 'authWithOAuth2':
      return atProvider(context, table, role)
    default:
      return byAccount(context, operation, role)
  }
}

async function atProvider(context: CheckContext, table: TableRef, role: string): Promise<Position> {
  const me = role === 'mfa' ? await newVerified(context, role) : undefined
  const person = me ? newProviderPerson(context, { email: me.email }) : await admittedPerson(context)
  const body = oauthBody(await visitProvider(context, person, { table }))
  const draft = draftOf('authWithOAuth2', { table: table.name }, body)
  return { draft, as: context.api, table, ...(me && { me }) }
}

/** Some servers let a provider in for verified addresses alone, or end what was begun before the address was verified. */
function newVerified(context: CheckContext, role: string): Promise<Account> {
  return newAccount(context, role, role === 'mfa' && context.knows('superuser') ? { verified: true } : {})
}

async function byAccount(
  context: CheckContext,
  operation: Start['operation'],
  role: string,
): Promise<Position> {
  const account = await newVerified(context, role)
  const { table, email } = account
  const path = { table: table.name }
  switch (operation) {
    case 'authWithPassword': {
      const body = { identity: email, password: account.password }
      return { draft: draftOf(operation, path, body), as: context.api, table, me: account }
    }
    case 'impersonate': {
      const draft = draftOf(operation, { ...path, id: account.id }, { duration: 60 })
      return { draft, as: context.api.as('superuser'), table, me: account }
    }
    case 'authRefresh': {
      const me = await sessionOf(context, account)
      return { draft: draftOf(operation, path), as: me.api, table, me }
    }
    case 'requestEmailChange': {
      const me = await sessionOf(context, account)
      return { draft: draftOf(operation, path, { newEmail: newEmail(context) }), as: me.api, table, me }
    }
    default:
      return { draft: draftOf(operation, path, { email }), as: context.api, table, me: account }
  }
}
