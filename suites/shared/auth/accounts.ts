/**
 * Accounts and sessions for the checks on sign-in. What a check needs but does not judge is `blocked` when it fails.
 *
 * @module
 */

import { isObject, objectsOf } from '../../../exchange/json-object.ts'
import { createdRecord } from '../../../harness/created-record.ts'
import {
  BlockedError,
  ExpectationError,
  expectSuccess,
  expectThat,
  isRejected,
  objectBody,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse, Body, Query, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { extraKeys } from '../../../harness/wire/extra-keys.ts'
import { passwordKeys } from '../../../harness/wire/password-keys.ts'
import { tableById } from '../records/table-by-id.ts'

/** With capital and small letters, a digit and a punctuation mark, as many servers demand. */
export const PASSWORD = 'A long enough secret, No. 1'
export const OTHER_PASSWORD = 'Another, longer secret: No. 2'

/** An auth record with what signs it in. */
export interface Account {
  table: TableRef
  record: WireRecord
  id: string
  email: string
  password: string
}

/** An account, a token of it, and the client that sends the token. */
export interface SignedIn extends Account {
  token: string
  api: Api
}

/** An address that no account has. In lower case, because some servers compare addresses with case. */
export function newEmail({ unique }: CheckContext): string {
  return `${unique('m')}@example.com`.toLowerCase()
}

/** An address as it is compared: a server may show it in other letters. */
export function addressOf(email: unknown): unknown {
  return typeof email === 'string' ? email.toLowerCase() : email
}

type Bound = Pick<CheckContext, 'binding'>

/** What the target calls a new password, the same once more, and the one before. */
export function passwordNames({ binding }: Bound) {
  return {
    password: binding['signUp.password'] ?? 'password',
    confirm: binding['signUp.passwordConfirm'] ?? 'passwordConfirm',
    old: binding['signUp.oldPassword'] ?? 'oldPassword',
  }
}

/** A new password under the target's names; `old` if its owner must know the previous one. */
export function passwordBody(context: Bound, password: string, old?: string): Record<string, string> {
  return passwordKeys(context.binding, password, old)
}

/** Body of a sign-up, with the target's field names and the keys that it requires in addition. */
export function signUpBody(context: Bound, fields: Body, password = PASSWORD): Body {
  return { ...extraKeys('signUp', context.binding), ...passwordBody(context, password), ...fields }
}

/** A name to sign in by: letters, digits and underscores alone. @param word that it begins with */
export function newUsername({ unique }: Pick<CheckContext, 'unique'>, word = 'user'): string {
  return unique(word).replaceAll('-', '_')
}

/** A new account, made by the most able actor there is. */
export async function newAccount(
  context: CheckContext,
  role = 'members',
  fields: Body = {},
): Promise<Account> {
  const table = context.table(role)
  const email = newEmail(context)
  const record = await context.make(table, signUpBody(context, { email, ...fields }))
  return { table, record, id: record.id, email: String(fields.email ?? email), password: PASSWORD }
}

/** Signs up as a guest, not as the superuser. */
export async function signUp(context: CheckContext, fields: Record<string, unknown> = {}) {
  const email = newEmail(context)
  const response = await context.api.create(
    context.table('members'),
    signUpBody(context, { email, ...fields }),
  )
  return { response, email }
}

/** The token of a response; undefined if it has none. */
export function sessionToken(response: ApiResponse): string | undefined {
  const token = (response.body as { token?: unknown } | undefined)?.token
  return typeof token === 'string' && token !== '' ? token : undefined
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
 * Signs in a new account. Whether an account must be verified first is left open (document, sections 2.2 and 3): if it is
 * rejected, a superuser verifies it.
 *
 * @throws UntestableError if it is not verified, and the response differs from that to a wrong password
 */
export async function firstSignIn(context: CheckContext, account: Account): Promise<ApiResponse> {
  const response = await byPassword(context, account)
  if (!isRejected(response) || account.record.verified === true) return response
  if (!(await rejectsUnverified(context, account, response))) return response
  if (context.knows('superuser')) {
    const verified = { verified: true }
    const root = context.api.as('superuser')
    if ((await root.update(account.table, account.id, verified)).ok) return byPassword(context, account)
  }
  throw new UntestableError(
    `${account.table.name} rejects the password of a new account (${response.status} ${response.text.slice(0, 100)}), but otherwise than a wrong one: the account may have to be verified first`,
    'set the credentials of a superuser, who verifies the accounts',
  )
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
  return withSession(context, account, token)
}

/** The account with a session that it has by now, in place of any other. */
export function withSession({ api }: Pick<CheckContext, 'api'>, account: Account, token: string): SignedIn {
  return { ...account, token, api: api.withToken(token, 'user') }
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

/**
 * A POST of any JSON to an action of a table. The request is not validated. Keys are those of the description.
 */
export function post(
  api: Api,
  table: TableRef | string,
  action: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return api.raw({
    method: 'POST',
    path: api.path.auth(table, action),
    headers,
    json: body,
  })
}

/**
 * The session in a response whose form the document leaves open: that of every sign-in endpoint except the one for
 * passwords (sections 2.5, 4.2). It is searched for in the body, and in the one object that the body contains.
 */
export function sessionIn({ body }: Pick<ApiResponse, 'body'>): { token?: string; recordId?: string } {
  const found: { token?: string; recordId?: string } = {}
  for (const { token, record } of objectsOf(body)) {
    if (typeof token === 'string' && token !== '') found.token ??= token
    if (isObject(record) && typeof record.id === 'string') found.recordId ??= record.id
  }
  return found
}

/** The `mfaId` of a response, wherever in it. */
export function mfaIdIn({ body }: Pick<ApiResponse, 'body'>): string | undefined {
  const { mfaId } = objectsOf(body).find((each) => typeof each.mfaId === 'string') ?? {}
  return typeof mfaId === 'string' && mfaId !== '' ? mfaId : undefined
}

/** A token that cannot be found cannot be checked. */
export function hidden(what: string, part: 'token' | 'record'): UntestableError {
  return new UntestableError(
    `${what} returns a response in an unknown form (allowed); no ${part} was found in it`,
  )
}

/** The request signs in or continues a session. If the response shows a record, it is the account's. */
export function expectAccepted(response: ApiResponse, { id }: Pick<Account, 'id'>, what: string): void {
  expectSuccess(response, what)
  const { recordId } = sessionIn(response)
  expectThat(recordId === undefined || recordId === id, `${what} returns another record`, id, recordId)
}

/** The same, and the token. @throws UntestableError if the form of the response is not known */
export function expectSession(response: ApiResponse, account: Pick<Account, 'id'>, what: string): string {
  expectAccepted(response, account, what)
  return givenToken(response, what)
}

/** The token of the account that was signed in. @throws UntestableError as above */
export function givenToken(response: ApiResponse, what: string): string {
  expectSuccess(response, what)
  const { token } = sessionIn(response)
  if (token === undefined) throw hidden(what, 'token')
  return token
}

/** The id of the record that was signed in. @throws UntestableError as above */
export function signedInId(response: ApiResponse, what: string): string {
  expectSuccess(response, what)
  const { recordId } = sessionIn(response)
  if (recordId === undefined) throw hidden(what, 'record')
  return recordId
}

/**
 * The token that continues a session after a refresh: the new one or, if the response has none, the one from before, since
 * a refresh may prolong the session itself.
 */
export async function goneOn(context: CheckContext, me: SignedIn): Promise<string> {
  const response = await me.api.authRefresh(me.table)
  expectAccepted(response, me, 'a refresh')
  const { token } = sessionIn(response)
  if (token !== undefined) return token
  if (!(await isAlive(context, me))) throw hidden('a refresh', 'token')
  return me.token
}

/**
 * The token with which a session goes on: a refresh may end the one that it extends. Undefined: the session has ended, so
 * the refresh is rejected, or a guest gets the same response.
 */
export async function refreshed(
  context: CheckContext,
  { table, token }: Pick<SignedIn, 'table' | 'token'>,
): Promise<string | undefined> {
  const response = await context.api.withToken(token, 'user').authRefresh(table)
  if (!response.ok) return undefined
  const { token: next } = sessionIn(response)
  if (next !== undefined) return next
  const guest = await context.api.authRefresh(table)
  return !guest.ok || guest.text !== response.text ? token : undefined
}

/** Whether a token is valid for a record of the table. To find out, it is refreshed, which may end it. */
export async function isAlive(context: CheckContext, session: Pick<SignedIn, 'table' | 'token'>) {
  return (await refreshed(context, session)) !== undefined
}

/** The token is no longer valid for any record. */
export async function expectDead(
  context: CheckContext,
  session: Pick<SignedIn, 'table' | 'token'>,
  when: string,
): Promise<void> {
  expectThat(!(await isAlive(context, session)), `a token is accepted ${when}`, 'a rejection', 'accepted')
}

/** The token is still valid for its record. */
export async function expectAlive(
  context: CheckContext,
  session: Pick<SignedIn, 'table' | 'token' | 'id'>,
  when: string,
): Promise<void> {
  const response = await context.api.withToken(session.token, 'user').authRefresh(session.table)
  expectSignedIn(response, session, `a refresh with a token ${when}`)
}

/** The sign-in gives no token. The status of the rejection is left open. */
export function expectNoToken(response: ApiResponse, what: string): void {
  if (sessionToken(response) === undefined && sessionIn(response).token === undefined) return
  throw new ExpectationError(`${what} yields a token`, 'no token', `${response.status} ${response.text}`)
}

/** Every string in a response. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** A string that a client could send in a header, and that no one could guess. */
export function isLikeToken(text: string): boolean {
  return /^[\x21-\x7e]{8,}$/.test(text)
}

/** How many strings of a response are tried as tokens. */
const mostStrings = 12

/** The response signs no one in: it has no token, and no string that the table accepts as one. */
export async function expectNoSession(
  context: CheckContext,
  table: TableRef,
  response: ApiResponse,
  what: string,
): Promise<void> {
  expectNoToken(response, what)
  if (!response.ok) return
  const tokens = stringsIn(response.body).filter(isLikeToken)
  for (const token of tokens.slice(0, mostStrings)) {
    const accepted = await isAlive(context, { table, token })
    expectThat(!accepted, `${what} yields a value that is accepted as a token`, 'no token', response.text)
  }
}

/** A sign-in that gives no token, and the same without its one fault, which signs the account in. */
export async function expectSignsNoOneIn(
  account: Pick<Account, 'id'>,
  what: string,
  attempt: () => Promise<ApiResponse>,
  control: () => Promise<ApiResponse>,
): Promise<void> {
  const accepted = await control()
  if (!accepted.ok || sessionToken(accepted) === undefined)
    throw new BlockedError(
      `the precondition failed, a valid sign-in returned no token: ${accepted.status} ${account.id}`,
    )
  expectNoToken(await attempt(), what)
}

/** The sign-in gives a token for this very record. */
export function expectSignedIn(response: ApiResponse, { id }: Pick<Account, 'id'>, what: string): string {
  expectSuccess(response, what)
  const token = sessionToken(response)
  const record = objectBody(response).record as { id?: unknown } | undefined
  expectThat(token !== undefined, `${what} returns no token`, 'a token', response.text)
  expectThat(record?.id === id, `${what} returns another record`, id, record?.id)
  return token
}

/** The record in the response to a sign-in or a refresh. */
export function recordIn(response: ApiResponse, what: string): WireRecord {
  expectSuccess(response, what)
  const { record } = objectBody(response)
  expectThat(
    typeof record === 'object' && record !== null,
    `${what} returns no record`,
    'an object',
    response.text,
  )
  return record as WireRecord
}

/** The items of a list on which a check only builds. @throws BlockedError if it has none */
export function itemsOf(response: ApiResponse): WireRecord[] {
  const { items } = (response.body ?? {}) as { items?: unknown }
  if (
    !response.ok ||
    !Array.isArray(items) ||
    items.some((item) => typeof item !== 'object' || item === null)
  )
    throw new BlockedError(
      `a list has no items: ${response.status} ${(response.exchange.response?.body ?? '').slice(0, 200)}`,
    )
  return items
}

/** The precondition of claims about tokens: without one the request is rejected. */
export async function expectGuarded(context: CheckContext, table: TableRef, id: string): Promise<void> {
  if ((await context.api.as('guest').view(table, id)).ok)
    throw new BlockedError(
      `a guest sees a record of ${table.name}, so a response cannot show that a token is accepted`,
    )
}

/** Makes a record of the table `owned` that only this account sees. */
export async function ownedBy(context: CheckContext, account: Account): Promise<WireRecord> {
  const body = { title: context.unique('owned'), owner: account.id }
  if (context.knows('superuser')) return context.make(context.table('owned'), body)
  // Perhaps only the owner may make it.
  const { api } = await sessionOf(context, account)
  const response = await api.create(context.table('owned'), body)
  const record = response.ok ? await createdRecord(api, context.table('owned'), response) : undefined
  if (record === undefined)
    throw new BlockedError(`an account could not create its own record: ${response.status} ${response.text}`)
  return record
}

/** `data.<field>.code` of error responses; empty if there is none. */
export function codesOf(response: ApiResponse): Record<string, unknown> {
  return ofFieldErrors(response, 'code')
}

/** `data.<field>.params` of error responses; empty if there is none. */
export function paramsOf(response: ApiResponse): Record<string, unknown> {
  return ofFieldErrors(response, 'params')
}

function ofFieldErrors(response: ApiResponse, key: 'code' | 'params'): Record<string, unknown> {
  const { data } = (response.body ?? {}) as { data?: Record<string, { code?: unknown; params?: unknown }> }
  return Object.fromEntries(Object.entries(data ?? {}).map(([field, error]) => [field, error?.[key]]))
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
