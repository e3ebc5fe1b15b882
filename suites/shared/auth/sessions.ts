/**
 * Sessions of accounts. What a check needs but does not judge is `blocked` when it fails.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { BlockedError, isRejected, objectBody, UntestableError } from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import type { Api, ApiResponse, Body, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { isAboutPermission } from '../../../spec/status-range.ts'
import { tableById } from '../records/table-by-id.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { type Account, newAccount } from './accounts.ts'
import { expectRefreshOffered } from './expect-refresh-offered.ts'
import { expectPasswordSuffices } from './password-suffices.ts'
import { isLikeToken, sessionIn, sessionToken, stringsIn } from './session-in.ts'
import { verify } from './verify.ts'

/** An account, a token of it, and the client that sends the token. Its record is the one that the sign-in showed. */
export interface SignedIn extends Account {
  token: string
  api: Api
}

/** Signs in by password. */
export function byPassword(
  { api }: Pick<CheckContext, 'api'>,
  { table, email, password }: Pick<Account, 'table' | 'email' | 'password'>,
  query?: Query,
): Promise<ApiResponse> {
  return api.authWithPassword(table, { identity: email, password }, query)
}

/**
 * Sends the password of a new account. Whether an account must be verified first is left open (document, sections 2.2 and
 * 3): if it is rejected, the account is verified.
 *
 * @throws UntestableError if it is not verified, and the response differs from that to a wrong password
 */
export async function passwordStep(context: CheckContext, account: Account): Promise<ApiResponse> {
  const response = await byPassword(context, account)
  if (!(await isUnverified(context, account, response))) return response
  if (await verify(context, account)) return byPassword(context, account)
  throw unverified(account, response)
}

/**
 * The same for a table whose passwords alone sign in.
 *
 * @throws UntestableError if they do not (`expectPasswordSuffices`)
 */
export async function firstSignIn(context: CheckContext, account: Account): Promise<ApiResponse> {
  const response = await passwordStep(context, account)
  if (sessionToken(response) === undefined) await expectPasswordSuffices(context, account.table, response)
  return response
}

/**
 * A new account that may sign in by password, now or once it is verified.
 *
 * @throws UntestableError if its table has no passwords, or needs a second factor
 */
export async function accountByPassword(context: CheckContext): Promise<Account> {
  const account = await newAccount(context)
  await expectPasswordSuffices(context, account.table, await byPassword(context, account))
  return account
}

/**
 * A new account that may sign in, with whatever it has. Where it must be verified first, it is.
 *
 * @throws UntestableError if it cannot be verified
 */
export async function accountToSignIn(context: CheckContext, role = 'members'): Promise<Account> {
  const account = await newAccount(context, role)
  if ((await isVerifiedFirst(context, role)) && !(await verify(context, account))) throw unverified(account)
  return account
}

/** Why a new account cannot sign in: its password is rejected, but not like a wrong one. */
export function unverified({ table }: Account, response?: ApiResponse): UntestableError {
  const how = response === undefined ? '' : ` (${responseSummary(response, 100)})`
  return new UntestableError(
    `${table.name} rejects the password of a new account${how}, but not like a wrong one: the account may have to be verified first`,
    'set the credentials of a superuser who can set `verified` of an account, or target file: "services": { "smtp": { "port": 2525 } }',
  )
}

/**
 * Whether the accounts of a table must be verified before they sign in. How the password of a new one is rejected shows
 * it, once for all.
 */
export function isVerifiedFirst(context: CheckContext, role: string): Promise<boolean> {
  return context.once(`accounts of ${role} are verified first`, async () => {
    const account = await newAccount(context, role)
    const response = await byPassword(context, account)
    return isUnverified(context, account, response)
  })
}

/** Whether the right password was rejected, and only because the account is not verified. */
async function isUnverified(
  context: CheckContext,
  account: Account,
  response: ApiResponse,
): Promise<boolean> {
  const isPossible =
    isRejected(response) && mfaIdIn(response) === undefined && account.record.verified !== true
  return isPossible && rejectsUnverified(context, account, response)
}

/** Whether the password was right: the response to another one differs. */
export async function rejectsUnverified(
  context: CheckContext,
  account: Account,
  { status, text }: ApiResponse,
): Promise<boolean> {
  const wrong = await byPassword(context, { ...account, password: `not ${account.password}` })
  return wrong.status !== status || wrong.text !== text
}

/** A session of the account. @throws BlockedError when the sign-in fails: that is another check's finding */
export async function sessionOf(context: CheckContext, account: Account): Promise<SignedIn> {
  const response = await firstSignIn(context, account)
  const token = sessionToken(response)
  if (!response.ok || token === undefined)
    throw new BlockedError(`a new account of ${account.table.name} could not sign in: ${response.status}`)
  return withSession(context, withShown(account, response), token)
}

/** The account as a sign-in shows it: who may view an account is left open, and a create may return nothing. */
function withShown(account: Account, { body }: ApiResponse): Account {
  const record = isObject(body) ? body.record : undefined
  return isObject(record) ? { ...account, record: { ...account.record, ...record } } : account
}

/** The account with a session that it has by now, instead of any other. */
export function withSession({ api }: Pick<CheckContext, 'api'>, account: Account, token: string): SignedIn {
  return { ...account, token, api: api.withToken(token, 'user') }
}

/**
 * A view of an account, which ends no session: as its owner or, where accounts may not view themselves, as a superuser. Who
 * may view an account is left open.
 */
export async function viewOfAccount(
  context: Pick<CheckContext, 'api' | 'knows'>,
  { table, id, api }: Pick<SignedIn, 'table' | 'id' | 'api'>,
): Promise<ApiResponse> {
  const own = await api.view(table, id)
  return own.ok || !context.knows('superuser') ? own : context.api.as('superuser').view(table, id)
}

/** The record in such a view. @throws BlockedError if it is rejected */
export async function viewedAccount(
  context: Pick<CheckContext, 'api' | 'knows'>,
  account: Pick<SignedIn, 'table' | 'id' | 'api'>,
): Promise<WireRecord> {
  const view = await viewOfAccount(context, account)
  if (!view.ok) throw new BlockedError(`an account does not see its own record: ${view.status}`)
  return objectBody(view) as WireRecord
}

/** The table of an account by its identifier. Where a client may not view new accounts, their sign-in shows it. */
export async function accountTableById(context: CheckContext, account: Account): Promise<TableRef> {
  if (account.record.collectionId !== undefined) return tableById(account.table, account.record)
  const { body } = await byPassword(context, account)
  const record = isObject(body) ? body.record : undefined
  return tableById(account.table, isObject(record) ? record : {})
}

/** A new account with a session. */
export async function signedIn(
  context: CheckContext,
  role = 'members',
  fields: Body = {},
): Promise<SignedIn> {
  return sessionOf(context, await newAccount(context, role, fields))
}

/** The same, neither the oldest account of its table nor the newest: a server may take one of these for any. */
export async function signedInAmongOthers(context: CheckContext): Promise<SignedIn> {
  await unlessPrevented(() => newAccount(context))
  const me = await signedIn(context)
  await unlessPrevented(() => newAccount(context))
  return me
}

/** A new account with a session; undefined if the run gets no account: what prevents it is the finding of another check. */
export async function signedInIfPossible(
  context: CheckContext,
  role = 'members',
  fields: Body = {},
): Promise<SignedIn | undefined> {
  if (!context.hasTable(role)) return undefined
  return unlessPrevented(() => signedIn(context, role, fields))
}

/** Whether the account may update its own record, which is left open. */
export async function updatesItself({ unique }: CheckContext, me: SignedIn): Promise<boolean> {
  return (await me.api.update(me.table, me.id, { name: unique('name') })).ok
}

/** The clients that a run has in addition to a guest: a server may serve them another way. */
export async function otherCallers(context: CheckContext): Promise<{ who: string; api: Api }[]> {
  const { api, knows } = context
  const [member, colleague] = [await signedInIfPossible(context), await signedInIfPossible(context, 'staff')]
  // Of another account: an impersonation may end the session of its own.
  const token = await unlessPrevented(async () => impersonationOf(context, await newAccount(context)))
  const callers: [who: string, api: Api | undefined][] = [
    ['a signed-in user', member?.api],
    ['a signed-in user of another auth table', colleague?.api],
    ['a user who is impersonated', token === undefined ? undefined : api.withToken(token, 'impersonated')],
    ['a superuser', knows('superuser') ? api.as('superuser') : undefined],
  ]
  return callers.flatMap(([who, as]) => (as === undefined ? [] : [{ who, api: as }]))
}

/** A token from an impersonation of the account. Undefined: there is none, or none is found in its response. */
export async function impersonationOf(
  context: CheckContext,
  { table, id }: Pick<Account, 'table' | 'id'>,
): Promise<string | undefined> {
  const { api, has, knows, mayExist } = context
  if (!has('impersonation') || !mayExist('impersonate') || !knows('superuser')) return undefined
  const response = await api.as('superuser').impersonate(table, id)
  return response.ok ? tokenGiven(context, table, response) : undefined
}

/**
 * The token with which a session goes on: a refresh may end the one that it extends. Undefined: the session has ended, so
 * the refresh is rejected, or a guest or a token that was made up gets the same response.
 *
 * @param session with the `id` of its record, if it goes on to change something
 * @throws BlockedError if the refresh returned the session of another record, which may be an account that is not the run's
 */
export async function refreshed(
  context: CheckContext,
  { table, token, id }: Pick<SignedIn, 'table' | 'token'> & Partial<Pick<SignedIn, 'id'>>,
): Promise<string | undefined> {
  const response = await context.api.withToken(token, 'user').authRefresh(table)
  await expectRefreshOffered(context, table, response)
  if (!response.ok) return undefined
  const { token: next, recordId } = sessionIn(response)
  if (id !== undefined && recordId !== undefined && recordId !== id)
    throw new BlockedError(`a refresh returned the session of another record: ${recordId}, and not ${id}`)
  if (next !== undefined) return next
  for (const api of [context.api, context.api.withToken('nonsense', 'bogus')]) {
    const { ok, text } = await api.authRefresh(table)
    if (ok && text === response.text) return undefined
  }
  return token
}

/** Maximum number of strings of a response that are tried as tokens. */
const mostStrings = 12

/**
 * The token in a response whose form is left open: what it calls `token` or, of its other strings, the first that the table
 * accepts as a token. To find out, the string is refreshed, and the result is the token that the refresh returns.
 *
 * @returns undefined if there is none
 */
export async function tokenGiven(
  context: CheckContext,
  table: TableRef,
  response: ApiResponse,
): Promise<string | undefined> {
  const { token } = sessionIn(response)
  if (token !== undefined || !response.ok) return token
  for (const text of stringsIn(response.body).filter(isLikeToken).slice(0, mostStrings)) {
    const accepted = await refreshed(context, { table, token: text })
    if (accepted !== undefined) return accepted
  }
  return undefined
}

/** Whether a token is valid for a record of the table. To find out, it is refreshed, which may end it. */
export async function isAlive(context: CheckContext, { table, token }: Pick<SignedIn, 'table' | 'token'>) {
  return (await refreshed(context, { table, token })) !== undefined
}

/** The precondition of claims about tokens: without one the request is rejected. */
export async function expectGuarded(context: CheckContext, table: TableRef, id: string): Promise<void> {
  if ((await context.api.as('guest').view(table, id)).ok)
    throw new BlockedError(
      `a guest sees a record of ${table.name}, so a response cannot show that a token is accepted`,
    )
}

/** Makes a record of the table `owned` that only this account sees. A session that the account has goes on. */
export async function ownedBy(
  context: CheckContext,
  account: Account | SignedIn,
  title = context.unique('owned'),
): Promise<WireRecord> {
  const owned = context.table('owned')
  const body = { title, owner: account.id }
  if (context.knows('superuser')) {
    const root = context.api.as('superuser')
    const response = await root.create(owned, body)
    if (response.ok) return context.created(owned, response, root)
    // It may be that only the owner may create it.
    if (!isAboutPermission(response.status))
      throw new BlockedError(
        `a superuser could not create a record of an account: ${responseSummary(response, 300)}`,
      )
  }
  // Another sign-in could end the session.
  const { api } = 'api' in account ? account : await sessionOf(context, account)
  const response = await api.create(owned, body)
  if (!response.ok)
    throw new BlockedError(`an account could not create its own record: ${responseSummary(response, 300)}`)
  return context.created(owned, response, api)
}

/**
 * Deletes the account: its owner does or, where the table lets no owner do it, a superuser.
 *
 * @throws BlockedError when neither may: whom a table lets delete is left open
 */
export async function deleteAccount(
  context: CheckContext,
  { table, id, api }: Pick<SignedIn, 'table' | 'id' | 'api'>,
): Promise<void> {
  const own = await api.delete(table, id)
  if (own.ok) return
  const response = context.knows('superuser') ? await context.api.as('superuser').delete(table, id) : own
  if (!response.ok)
    throw new BlockedError(`an account could not be deleted: ${response.status} ${response.text}`)
}
