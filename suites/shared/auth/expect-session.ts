/**
 * What checks expect of the response to a sign-in or a refresh, and of the token in it.
 *
 * @module
 */

import { percentDecoded } from '../../../exchange/percent-decoded.ts'
import {
  BlockedError,
  ExpectationError,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { MfaId } from '../../../harness/wire/mfa-id.ts'
import { namesOf } from '../records/table-by-id.ts'
import { unlessPrevented } from '../unless-prevented.ts'
import { unusualHeaders } from '../unusual-headers.ts'
import type { Account } from './accounts.ts'
import { expectRefreshOffered } from './expect-refresh-offered.ts'
import { hidden, isLikeToken, sessionIn, sessionToken, shownIn, stringsIn } from './session-in.ts'
import { firstSignIn, isAlive, type SignedIn, signedIn, tokenGiven, withSession } from './sessions.ts'

/** The request signs in or continues a session. If the response shows a record, it is the account's. */
export function expectAccepted(response: ApiResponse, { id }: Pick<Account, 'id'>, what: string): void {
  expectSuccess(response, what)
  const { recordId } = sessionIn(response)
  expectThat(recordId === undefined || recordId === id, `${what} returns another record`, id, recordId)
}

/** Expects an accepted request, and returns its token. @throws UntestableError if none is found in the response */
export async function expectSession(
  context: CheckContext,
  response: ApiResponse,
  account: Pick<Account, 'id' | 'table'>,
  what: string,
): Promise<string> {
  expectAccepted(response, account, what)
  return expectToken(context, account.table, response, what)
}

/** Expects a success, and returns the token in the response. @throws UntestableError if none is found in it */
export async function expectToken(
  context: CheckContext,
  table: TableRef,
  response: ApiResponse,
  what: string,
): Promise<string> {
  expectSuccess(response, what)
  const token = await tokenGiven(context, table, response)
  if (token === undefined) throw hidden(what, 'token')
  return token
}

/**
 * The token that continues a session after a refresh: the new one or, if the response has none, the one from before, since
 * a refresh may prolong the session itself.
 */
export async function tokenAfterRefresh(context: CheckContext, me: SignedIn): Promise<string> {
  const response = await me.api.authRefresh(me.table)
  await expectRefreshOffered(context, me.table, response)
  expectAccepted(response, me, 'a refresh')
  const token = await tokenGiven(context, me.table, response)
  if (token !== undefined) return token
  if (!(await isAlive(context, me))) throw hidden('a refresh', 'token')
  return me.token
}

/** A new account with a session that was refreshed; undefined if there is none: a table may have no refreshes. */
export async function refreshedIfPossible(
  context: CheckContext,
  role: string,
): Promise<SignedIn | undefined> {
  if (!context.hasTable(role)) return undefined
  return unlessPrevented(async () => {
    const me = await signedIn(context, role)
    return withSession(context, me, await tokenAfterRefresh(context, me))
  })
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
  await expectRefreshOffered(context, session.table, response)
  expectSignedIn(response, session, `a refresh with a token ${when}`)
}

/** The sign-in gives no token. The status of the rejection is left open. */
export function expectNoToken(response: ApiResponse, what: string): void {
  if (sessionToken(response) === undefined && sessionIn(response).token === undefined) return
  throw new ExpectationError(`${what} yields a token`, 'no token', `${response.status} ${response.text}`)
}

/** The response signs no one in: it has no token, and no string that the table accepts as one. */
export async function expectNoSession(
  context: CheckContext,
  table: TableRef,
  response: ApiResponse,
  what: string,
): Promise<void> {
  expectNoToken(response, what)
  const token = await tokenGiven(context, table, response)
  const fact = `${what} yields a value that is accepted as a token`
  expectThat(token === undefined, fact, 'no token', response.text)
}

/** Maximum number of other strings that are tried as tokens. */
const mostOthers = 12

/**
 * A response to a guest that signs no one in, whatever its status: no header and no other string in it is accepted as a token
 * of the account. A server may hand out values of other kinds, for example one that goes on with the next factor.
 *
 * @param known values in it that other checks try
 */
export async function expectNoOtherToken(
  context: CheckContext,
  { table, id }: Pick<Account, 'table' | 'id'>,
  response: ApiResponse,
  what: string,
  known: readonly (MfaId | undefined)[] = [],
): Promise<void> {
  const headers = Object.values(unusualHeaders(response)).flatMap(wordsOf)
  const words = new Set([...stringsIn(response.body), ...headers].filter(isLikeToken))
  for (const each of known) words.delete(String(each))
  for (const token of [...words].slice(0, mostOthers)) {
    const refresh = await context.api.withToken(token, 'user').authRefresh(table)
    const isTheirs = refresh.ok && refresh.text.includes(id)
    expectThat(!isTheirs, `${what} returns a value that is accepted as a token`, 'no token', 'a token')
  }
}

/** The parts of a header that may be a token: a value of a cookie, for example. */
function wordsOf(value: string): string[] {
  return value
    .split(/[\s;,"'<>]+/)
    .flatMap((part) => [part, part.slice(part.indexOf('=') + 1)])
    .flatMap((part) => [part, percentDecoded(part) ?? part])
}

/**
 * A sign-in that gives no token, and the same without its one fault, which signs the account in. It is tried under the
 * name of the table and under its identifier.
 *
 * @param elsewhere what another table is called, if the sign-in is tried there
 */
export async function expectSignsNoOneIn(
  context: CheckContext,
  account: Account,
  what: string,
  attempt: (table: TableRef) => Promise<ApiResponse>,
  control: () => Promise<ApiResponse>,
  elsewhere?: readonly TableRef[],
): Promise<void> {
  let accepted = await control()
  // The account may have to be verified first, which the first sign-in sees to. A password alone may not be enough.
  if (sessionToken(accepted) === undefined && (await firstSignIn(context, account)).ok)
    accepted = await control()
  if (!accepted.ok || sessionToken(accepted) === undefined)
    throw new BlockedError(
      `the precondition failed, a valid sign-in returned no token: ${accepted.status} ${account.id}`,
    )
  for (const table of elsewhere ?? namesOf(account.table, shownIn(accepted)))
    expectNoToken(await attempt(table), what)
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
