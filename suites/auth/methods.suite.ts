/** Which methods there are, and that the report agrees with what works (document 4.2, 5). */

import { check } from '../../harness/check.ts'
import { expectEqual, expectSuccess, expectThat, UntestableError } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import type { TableRef } from '../../harness/vocabulary/target.ts'
import { requestOtp } from './mailed.ts'
import { byProvider, newPerson, oauthBody, visitProvider } from './oauth.ts'
import { byPassword, newAccount, post } from './world.ts'

/** What auth-methods says of one method. */
async function reports({ api }: CheckContext, table: TableRef, method: string): Promise<boolean> {
  const reply = await api.authMethods(table)
  expectSuccess(reply, 'auth-methods')
  return lists(reply.body, method)
}

/**
 * Whether an answer names a method. Its form is left open: a list of names, an entry for each enabled method, or one
 * for each method with `enabled` in it.
 */
function lists(answer: unknown, method: string): boolean {
  if (typeof answer === 'string') return answer.toLowerCase() === method
  if (Array.isArray(answer)) return answer.some((each) => lists(each, method))
  if (typeof answer !== 'object' || answer === null) return false
  return Object.entries(answer).some(([key, value]) => {
    if (key.toLowerCase() !== method) return lists(value, method)
    const { enabled } = (value ?? {}) as { enabled?: unknown }
    return typeof enabled === 'boolean' ? enabled : Boolean(value)
  })
}

check('auth-methods.lists', async (context) => {
  expectThat(
    await reports(context, context.table('members'), 'password'),
    'password sign-in is not reported',
    'enabled',
  )
})

check('auth-methods.without-token', async ({ api, table }) => {
  const reply = await api.as('guest').authMethods(table('members'))
  expectSuccess(reply, 'auth-methods without a token')
  const { length } = Object.keys(reply.body ?? {})
  expectThat(length > 0, 'auth-methods lists nothing', 'at least one method', reply.text)
})

check('auth-methods.agrees-password', async (context) => {
  for (const role of ['members', 'passwordless']) {
    const account = await newAccount(context, role)
    const reported = await reports(context, account.table, 'password')
    expectEqual(
      (await byPassword(context, account)).ok,
      reported,
      `whether a password signs in to ${account.table.name}`,
    )
  }
})

check('auth-methods.agrees-otp', async (context) => {
  for (const role of ['members', 'staff']) {
    const account = await newAccount(context, role)
    const reported = await reports(context, account.table, 'otp')
    expectEqual(
      (await requestOtp(context, account)).ok,
      reported,
      `whether ${account.table.name} mails codes`,
    )
  }
})

check('auth-methods.agrees-oauth2', async (context) => {
  if (!(await reports(context, context.table('oauth'), 'oauth2')))
    throw new UntestableError(
      'the table in the role "oauth" has no provider',
      'configure the provider of the suite there',
    )
  expectSuccess(
    await byProvider(context, newPerson(context)),
    'a sign-in through the provider of a table that reports it',
  )
  const members = context.table('members')
  expectEqual(await reports(context, members, 'oauth2'), false, 'what a table without provider reports')
  const returned = await visitProvider(context, newPerson(context))
  const reply = await post(context.api, members, 'auth-with-oauth2', oauthBody(returned))
  expectThat(!reply.ok, 'a table without provider signs in through one', 'a refusal', reply.status)
})
