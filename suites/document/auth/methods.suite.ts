/** The sign-in methods of a table, and whether auth-methods reports exactly those that work (document 4.2, 5). */

import { check } from '../../../harness/check.ts'
import {
  methodsIn,
  type ReportedMethod,
  recognizedMethods,
  unknownEntries,
} from '../../../harness/explore/reported-methods.ts'
import {
  BlockedError,
  ExpectationError,
  expectEqual,
  expectSuccess,
  expectThat,
  UntestableError,
} from '../../../harness/judging/expect.ts'
import { hookHint } from '../../../harness/target/call-hook.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { ProviderAccount, TableRef } from '../../../harness/vocabulary/target.ts'
import { mfaIdIn } from '../../../harness/wire/mfa-id.ts'
import { isAboutPermission } from '../../../spec/status-range.ts'
import { type Account, newAccount } from '../../shared/auth/accounts.ts'
import { byOtp, otpIn } from '../../shared/auth/email-flows.ts'
import { expectNoSession } from '../../shared/auth/expect-session.ts'
import {
  admittedPerson,
  byProvider,
  namesProvider,
  newProviderPerson,
  oauthBody,
  registeredPerson,
  visitProvider,
} from '../../shared/auth/oauth.ts'
import { post } from '../../shared/auth/post.ts'
import { requestOtp } from '../../shared/auth/request-flows.ts'
import { sessionIn, sessionToken } from '../../shared/auth/session-in.ts'
import { byPassword, firstSignIn } from '../../shared/auth/sessions.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * What auth-methods says about one method. @throws UntestableError if only the server itself knows the words it uses
 */
async function reports(context: CheckContext, table: TableRef, method: ReportedMethod): Promise<boolean> {
  const response = await context.api.authMethods(table)
  expectMethods(context, response, 'auth-methods')
  const reported = recognizedMethods(response.body, context.binding)
  if (reported === undefined)
    throw new UntestableError(
      'auth-methods uses unknown names (allowed); no method was recognized',
      namesHint,
    )
  return reported[method] === true
}

const namesHint =
  'target file: "binding": { "methods.password": "..." }, and the same for otp, oauth2 and mfa'

/** @throws UntestableError if auth-methods has entries of unknown names: one may be the method that works */
async function expectNamesKnown(
  context: CheckContext,
  table: TableRef,
  method: ReportedMethod,
  what: string,
): Promise<void> {
  const { body } = await context.api.authMethods(table)
  const unknown = unknownEntries(body, context.binding, method)
  if (unknown.length === 0) return
  const named = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)))
  throw new UntestableError(
    `${what}, but auth-methods does not report it under a known name (allowed). It has entries with unknown names: ${named.join(', ')}. One of them may be it`,
    namesHint,
  )
}

check('auth-methods.lists', async (context) => {
  if (await reports(context, context.table('members'), 'password')) return
  // A table may have no passwords: that is untestable here, unless they sign in.
  const response = await firstSignIn(context, await newAccount(context))
  const isSignedIn = sessionToken(response) !== undefined
  if (isSignedIn) await expectNamesKnown(context, context.table('members'), 'password', 'a password signs in')
  expectThat(!isSignedIn, 'a password signs in, but password sign-in is not reported', 'enabled')
  throw new BlockedError(`the check could not find out whether a password signs in: ${response.status}`)
})

/** If every request is rejected in the same way, a gateway may do it: that says nothing about the server behind it. */
function expectMethods({ rejectsAll }: CheckContext, response: ApiResponse, what: string): void {
  if (rejectsAll !== undefined && isAboutPermission(response.status)) throw new BlockedError(rejectsAll)
  expectSuccess(response, what)
}

check('auth-methods.without-token', async (context) => {
  const response = await context.api.as('guest').authMethods(context.table('members'))
  expectMethods(context, response, 'auth-methods without a token')
  const { length } = Object.keys(response.body ?? {})
  expectThat(length > 0, 'auth-methods lists nothing', 'at least one method', response.text)
})

check('auth-methods.agrees-password', async (context) => {
  for (const role of ['members', 'passwordless']) {
    if (!context.hasTable(role)) continue
    const account = await newAccount(context, role)
    const reported = await reports(context, account.table, 'password')
    const signIn = reported ? firstSignIn(context, account) : byPassword(context, account)
    const isSignedIn = sessionToken(await signIn) !== undefined
    if (isSignedIn && !reported)
      await expectNamesKnown(context, account.table, 'password', 'a password signs in')
    expectEqual(isSignedIn, reported, `whether a password signs in to ${account.table.name}`)
  }
  if (!context.hasTable('plain')) return
  // No one can sign in to a table without accounts. It may have no report, or one that names no method.
  const { name } = context.table('plain')
  const response = await context.api.authMethods(context.table('plain'))
  const reported = response.ok && methodsIn(response.body, context.binding).password === true
  expectThat(
    !reported,
    `password sign-in is reported for ${name}, which is not an auth table`,
    'none',
    response.text,
  )
})

/**
 * Whether the table emails codes that sign in. The success of the request step alone does not show it: some servers respond
 * to any request with success, so that no one can find out which addresses have accounts.
 */
async function codesWork(context: CheckContext, account: Account): Promise<boolean> {
  const after = context.has('mail') ? await context.mail.count() : 0
  const response = await requestOtp(context, account)
  if (!response.ok) return false
  if (!context.has('mail'))
    throw new UntestableError(
      `${account.table.name} accepts a request for a code but does not report codes; only an email can show whether it sends one`,
      hookHint('mailbox'),
    )
  const received = await context.mail.waitFor({ to: account.email, after }).catch((error: unknown) => {
    if (error instanceof ExpectationError) return undefined
    throw error
  })
  if (received === undefined) return false
  return sessionIn(await byOtp(context, account, otpIn(context, { response, received }))).token !== undefined
}

check('auth-methods.agrees-otp', async (context) => {
  const roles = ['members', 'staff'].filter(context.hasTable)
  // At the same time: a report is about its own table, no matter what else is requested.
  const reported = await Promise.all(roles.map((role) => reports(context, context.table(role), 'otp')))
  for (const [at, role] of roles.entries()) {
    const account = await newAccount(context, role)
    const { name } = account.table
    if (reported[at] === true)
      expectSuccess(
        await requestOtp(context, account),
        `a request for a code on ${name}, which reports codes`,
      )
    else {
      const isSignedIn = await codesWork(context, account)
      if (isSignedIn) await expectNamesKnown(context, account.table, 'otp', 'an emailed code signs in')
      expectThat(
        !isSignedIn,
        `an emailed code signs in to ${name}, which does not report codes`,
        'a report of codes',
        'none',
      )
    }
  }
})

/** Whether the suite's provider signs in to a table that does not report OAuth 2.0. */
async function providerWorks(context: CheckContext): Promise<boolean> {
  const options = { unlisted: true }
  const response = await byProvider(context, newProviderPerson(context), options)
  return sessionIn(response).token !== undefined
}

check('auth-methods.agrees-oauth2', async (context) => {
  if (!(await reports(context, context.table('oauth'), 'oauth2'))) {
    const isSignedIn = await providerWorks(context)
    if (isSignedIn) await expectNamesKnown(context, context.table('oauth'), 'oauth2', 'a provider signs in')
    expectThat(
      !isSignedIn,
      `a provider signs in to ${context.table('oauth').name}, which does not report OAuth 2.0`,
      'a report of OAuth 2.0',
      'none',
    )
    throw new UntestableError(
      'the table in the role "oauth" has no provider',
      "configure the suite's provider for that table",
    )
  }
  expectSuccess(
    await byProvider(context, await admittedPerson(context)),
    'a sign-in through the provider of a table that reports it',
  )
  const members = context.table('members')
  const isReported = await reports(context, members, 'oauth2')
  // It may have providers that the suite cannot use.
  if (isReported && (await mayHaveOthers(context, members))) return
  const returned = await visitProvider(context, newProviderPerson(context))
  const response = await post(context.api, members, 'auth-with-oauth2', oauthBody(returned))
  if (isReported)
    return expectSuccess(
      response,
      `a sign-in to ${members.name}, which reports OAuth 2.0 and names no provider,`,
    )
  await expectNoSession(
    context,
    members,
    response,
    'a sign-in through a provider that the table does not have',
  )
  for (const role of ['staff', 'named', 'passwordless'])
    if (context.hasTable(role)) await expectProviderReported(context, role)
})

/**
 * Whether a table that reports OAuth 2.0 may have other providers than the suite's: it names some, or the server names those
 * of no table.
 */
async function mayHaveOthers({ api, table }: CheckContext, other: TableRef): Promise<boolean> {
  const isNamed = async (each: TableRef) => namesProvider((await api.authMethods(each)).body)
  return (await isNamed(other)) || (other.name !== table('oauth').name && !(await isNamed(table('oauth'))))
}

/**
 * What another auth table reports of providers is true of it. One that is reported without a name is tried with a person
 * whom the table does not know, and with one whose address an account has: whom it accepts is left open.
 */
async function expectProviderReported(context: CheckContext, role: string): Promise<void> {
  const { api, table: tableOf } = context
  const table = tableOf(role)
  const isReported = await unlessPrevented(() => reports(context, table, 'oauth2'))
  if (isReported === undefined) return
  if (isReported && (await mayHaveOthers(context, table))) return
  const signIn = async (person: ProviderAccount) =>
    post(api, table, 'auth-with-oauth2', oauthBody(await visitProvider(context, person)))
  const response = await signIn(newProviderPerson(context))
  const what = `a sign-in through a provider to ${table.name}`
  if (!isReported) return expectNoSession(context, table, response, `${what}, which reports none,`)
  const person = await unlessPrevented(() => registeredPerson(context, role))
  if (response.ok || mfaIdIn(response) !== undefined || person === undefined) return
  const known = await signIn(person)
  if (mfaIdIn(known) === undefined)
    expectSuccess(known, `${what}, which reports OAuth 2.0 and names no provider,`)
}
